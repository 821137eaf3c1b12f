# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the collision shapes and the visible meshes of all imported scenes of a project of Godot 4 as JSON.
extends SceneTree

var found := {}


func _init() -> void:
	for file in DirAccess.get_files_at("res://"):
		if file.ends_with(".glb"):
			found[file] = {"shapes": [], "meshes": []}
			walk(load("res://" + file).instantiate(), Transform3D(), found[file])
	print("SHAPES ", JSON.stringify(found, "", true, true))
	quit()


func walk(node: Node, above: Transform3D, into: Dictionary) -> void:
	var here := above
	if node is Node3D:
		here = above * (node as Node3D).transform
	if node is MeshInstance3D:
		into["meshes"].append({"name": node.name, "place": here.origin.x})
	if node is CollisionShape3D:
		var body: Node = node.get_parent()
		while not body is CollisionObject3D:
			body = body.get_parent()
		var one := {"name": node.name, "body": body.get_class(), "kind": node.shape.get_class()}
		one["basis"] = [here.basis.x, here.basis.y, here.basis.z].map(numbers)
		one["origin"] = numbers(here.origin)
		for property in ["size", "radius", "height"]:
			if property in node.shape:
				var value: Variant = node.shape.get(property)
				one[property] = numbers(value) if value is Vector3 else value
		var corners := PackedVector3Array()
		if node.shape is ConvexPolygonShape3D:
			corners = node.shape.points
		elif node.shape is ConcavePolygonShape3D:
			corners = node.shape.get_faces()
		one["points"] = Array(corners).map(func(corner: Vector3) -> Array: return numbers(here * corner))
		if body is RigidBody3D:
			one["mass"] = body.mass
		into["shapes"].append(one)
	for child in node.get_children():
		walk(child, here, into)


func numbers(vector: Vector3) -> Array:
	return [vector.x, vector.y, vector.z]
