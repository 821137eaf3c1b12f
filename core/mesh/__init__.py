# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle meshes: what a surface is made of, trees over its triangles, inside and outside.

`geometry` and `topology` say what a mesh is; `tree`, `bodies` and `search` find near triangles; `planes` and `exits`
compare triangles; `inside` shoots rays. What pairs with meshes are asked: `pieces`, the triangles that meet; `loose`,
the components that are inside and meet nothing; `regions`, where triangles meet; `containment`; `directions` and
`freeing`, the ways out; `submerged` and `contacts`.
"""
