# SPDX-License-Identifier: GPL-3.0-or-later OR MIT
# Copyright (c) 2026 The Collision Kit contributors
#
# You may use this file under the GNU General Public License, version 3 or later, as the rest of Collision Kit, or under the MIT License:
# Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
# "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
# distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
# the following conditions: The above copyright notice and this permission notice shall be included in all copies or substantial portions of
# the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
# WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
# LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
# CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
#
# Turns meshes that are named as colliders into collision shapes when Godot 4 imports a scene.
#
# Choose this file as Import Script in the import settings of the scene. Godot itself reads -convcolonly and -colonly. This script reads the
# names UBX_, USP_, UCP_ and UCX_, and _collider at the end, as Collision Kit writes them, and makes boxes, spheres, capsules and convex shapes.
@tool
extends EditorScenePostImport

var prefix := RegEx.create_from_string("(?i)^(UBX|USP|UCP|UCX)_.")
var suffix := RegEx.create_from_string("(?i)[-_]collider[0-9_. ]*$")


func _post_import(scene: Node) -> Object:
	for node in scene.find_children("*", "MeshInstance3D", true, false):
		var kind := kind_of(node.name)
		if kind != "" and node.mesh != null:
			replace(node, kind, scene)
	return scene


## What a name asks for: "UBX", "USP", "UCP", "UCX"; empty for a mesh that is no collider.
func kind_of(name: String) -> String:
	var found := prefix.search(name)
	if found != null:
		return found.get_string(1).to_upper()
	return "UCX" if suffix.search(name) != null else ""


func replace(node: MeshInstance3D, kind: String, scene: Node) -> void:
	var body := StaticBody3D.new()
	var shape := CollisionShape3D.new()
	var bounds := node.mesh.get_aabb()
	shape.position = bounds.get_center()
	match kind:
		"UBX":
			var box := BoxShape3D.new()
			box.size = bounds.size
			shape.shape = box
		"USP":
			var sphere := SphereShape3D.new()
			sphere.radius = bounds.get_longest_axis_size() / 2.0
			shape.shape = sphere
		"UCP":
			var capsule := CapsuleShape3D.new()
			capsule.height = bounds.get_longest_axis_size()
			var axis := bounds.get_longest_axis_index()
			capsule.radius = maxf(bounds.size[(axis + 1) % 3], bounds.size[(axis + 2) % 3]) / 2.0
			# The capsules of Godot are along Y.
			if axis == Vector3.AXIS_X:
				shape.rotation.z = PI / 2.0
			elif axis == Vector3.AXIS_Z:
				shape.rotation.x = PI / 2.0
			shape.shape = capsule
		_:
			shape.position = Vector3.ZERO
			shape.shape = node.mesh.create_convex_shape()
	body.name = node.name
	body.transform = node.transform
	body.add_child(shape)
	var parent := node.get_parent()
	for child in node.get_children():
		node.remove_child(child)
		body.add_child(child)
	parent.remove_child(node)
	parent.add_child(body)
	node.free()
	own(body, scene)


## Nodes without the scene as their owner are not saved.
func own(node: Node, scene: Node) -> void:
	node.owner = scene
	for child in node.get_children():
		own(child, scene)
