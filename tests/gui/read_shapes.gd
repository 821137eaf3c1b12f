# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the collision shapes and the visible meshes of an imported scene as JSON.
extends SceneTree

var shapes = []
var meshes = []

func _init():
	walk(load("res://scene.glb").instance(), Transform())
	print("SHAPES ", to_json({"shapes": shapes, "meshes": meshes}))
	quit()

func walk(node, above):
	var here = above
	if node is Spatial:
		here = above * node.transform
	if node is MeshInstance:
		meshes.append(here.origin.x)
	if node is CollisionShape:
		var points = []
		var corners = node.shape.points if node.shape is ConvexPolygonShape else node.shape.get_faces()
		for corner in corners:
			var at = here.xform(corner) - Vector3(here.origin.x, 0, 0)
			points.append([at.x, at.y, at.z])
		shapes.append({"place": here.origin.x, "kind": node.shape.get_class(), "points": points})
	for child in node.get_children():
		walk(child, here)
