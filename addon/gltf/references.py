# SPDX-License-Identifier: GPL-3.0-or-later
"""Remove broken references from a glTF document before Blender follows them.

Blender's importer stops at the first one with a Python error and reads nothing. Removed references are reported with a
JSON pointer (RFC 6901). Everything else is read.
"""

import base64
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import unquote

from ..exchange import sentences
from ..exchange.issues import FileIssues
from .declared import reachable
from .fields import is_index

# Bytes of each component type, and components of each accessor type.
_BYTES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
_COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
# Transform fields of a node, and their numbers of values.
_PLACEMENT = {"translation": 3, "rotation": 4, "scale": 3, "matrix": 16}
# Textures of a material, by their names in Blender's glTF add-on and in the file.
_TEXTURES = {
    "normal_texture": "normalTexture",
    "occlusion_texture": "occlusionTexture",
    "emissive_texture": "emissiveTexture",
}
_PBR_TEXTURES = {
    "base_color_texture": "baseColorTexture",
    "metallic_roughness_texture": "metallicRoughnessTexture",
}


def cycle_of(children: Sequence[Sequence[int]]) -> list[int]:
    """Return a cycle of nodes, each a child of the one before, and the first of the last. Empty if there is none.

    Parameters
    ----------
    children : sequence of sequence of int
        Children of each node. Invalid indices are ignored.
    """
    done = [False] * len(children)
    for root in range(len(children)):
        path: list[int] = []
        place: dict[int, int] = {}
        stack = [(root, False)]
        while stack:
            node, left = stack.pop()
            if left:
                place.pop(path.pop())
                done[node] = True
            elif node in place:
                return path[place[node] :]
            elif not done[node]:
                place[node] = len(path)
                path.append(node)
                stack.append((node, True))
                stack += [(child, False) for child in reversed(children[node]) if is_index(child, len(children))]
    return []


def mend(document: Any, folder: str, load: Callable[[int], Any], issues: FileIssues) -> None:
    """Remove broken references from a document whose nodes form no cycle.

    Parameters
    ----------
    document : Gltf
        As loaded by Blender's glTF add-on. It is changed.
    folder : str
        Folder of the file.
    load : callable
        Returns the bytes of a buffer, or None if they are missing.
    issues : FileIssues
    """
    _Mending(document, folder, load, issues).all()


class _Mending:
    def __init__(self, document: Any, folder: str, load: Callable[[int], Any], issues: FileIssues) -> None:
        self._document, self._folder, self._issues = document, folder, issues
        self._load, self._sizes = load, dict[int, int]()
        # URIs of missing files, by their places.
        self._no_file: dict[str, str] = {}
        self._counts = {
            what: len(getattr(document, field) or [])
            for what, field in (
                ("accessor", "accessors"),
                ("buffer", "buffers"),
                ("buffer view", "buffer_views"),
                ("camera", "cameras"),
                ("image", "images"),
                ("material", "materials"),
                ("mesh", "meshes"),
                ("node", "nodes"),
                ("sampler", "samplers"),
                ("scene", "scenes"),
                ("skin", "skins"),
                ("texture", "textures"),
            )
        }

    def all(self) -> None:
        document = self._document
        self._cut(document, "scene", "scene", "")
        self._nodes()
        for number, scene in enumerate(document.scenes or []):
            scene.nodes = self._roots(scene.nodes, f"/scenes/{number}/nodes")
        for number, mesh in enumerate(document.meshes or []):
            self._primitives(mesh, f"/meshes/{number}")
        self._textures()
        for number, material in enumerate(document.materials or []):
            self._material(material, f"/materials/{number}")
        self._skins()
        for number, animation in enumerate(document.animations or []):
            self._channels(animation, f"/animations/{number}")

    def _roots(self, given: list[int] | None, where: str) -> list[int] | None:
        """Return the nodes that a scene lists once, and that are not below another of its nodes."""
        those = self._those(given, "node", where)
        if those is None:
            return None
        kept = list(dict.fromkeys(those))
        children = [node.children or [] for node in self._document.nodes or []]
        below = reachable(children, (child for node in kept for child in children[node]))
        for index in sorted({*below, *(one for one in kept if those.count(one) > 1)} & {*kept}):
            self._issues.add(where, sentences.TWICE, node=index)
        return [index for index in kept if index not in below]

    def _nodes(self) -> None:
        nodes = self._document.nodes or []
        parent: dict[int, int] = {}
        for number, node in enumerate(nodes):
            where = f"/nodes/{number}"
            for field in ("mesh", "skin", "camera"):
                self._cut(node, field, field, where)
            for field, count in _PLACEMENT.items():
                given = getattr(node, field)
                if given is not None and len(given) != count:
                    self._issues.add(where, sentences.WRONG_TYPE, field=field)
                    setattr(node, field, None)
            first = []
            for child in self._those(node.children, "node", f"{where}/children") or []:
                if child in parent:
                    self._issues.add(where, sentences.SECOND_PARENT, child=child, parent=parent[child])
                    continue
                parent[child] = number
                first.append(child)
            node.children = first if node.children else node.children

    def _primitives(self, mesh: Any, where: str) -> None:
        """Keep the primitives with valid positions and indices, with their valid attributes.

        If none is left, an empty one.
        """
        kept = []
        for number, one in enumerate(mesh.primitives):
            place = f"{where}/primitives/{number}"
            self._cut(one, "material", "material", place)
            # Compressed data is not where an accessor says.
            compressed = "KHR_draco_mesh_compression" in (one.extensions or {})
            if compressed:
                kept.append(one)
                continue
            there = self._with_data(one.attributes, f"{place}/attributes")
            whole = one.indices is None or self._has_data(one.indices, f"{place}/indices")
            if whole and ("POSITION" in there or "POSITION" not in one.attributes):
                one.attributes = there
                one.targets = one.targets and [
                    self._with_data(morphed, f"{place}/targets/{target}") for target, morphed in enumerate(one.targets)
                ]
                kept.append(one)
        if mesh.primitives and not kept:
            kept = [type(mesh.primitives[0]).from_dict({"attributes": {}})]
        mesh.primitives = kept

    def _with_data(self, accessors: dict[str, int], where: str) -> dict[str, int]:
        """Return the accessors, by name, whose data is complete."""
        return {name: index for name, index in accessors.items() if self._has_data(index, f"{where}/{name}")}

    def _textures(self) -> None:
        """Remove the image of a texture if it, or its data, is missing."""
        document = self._document
        whole = [self._image(image, f"/images/{number}") for number, image in enumerate(document.images or [])]
        for number, texture in enumerate(document.textures or []):
            where = f"/textures/{number}"
            self._cut(texture, "sampler", "sampler", where)
            self._cut(texture, "source", "image", where)
            if texture.source is not None and not whole[texture.source]:
                texture.source = None
            for name, extension in (texture.extensions or {}).items():
                source = extension.get("source") if isinstance(extension, dict) else None
                there = is_index(source, len(whole))
                if source is None or (there and whole[source]):
                    continue
                if not there:
                    self._miss(f"{where}/extensions/{name}/source", "image", source)
                texture.extensions = {other: of for other, of in texture.extensions.items() if other != name}

    def _image(self, image: Any, where: str) -> bool:
        """Return whether Blender can create an image. If only its file is missing, that is noted, and Blender can."""
        uri = image.uri
        if uri is None:
            lacking = (
                iter([where]) if image.buffer_view is None else self._short(image.buffer_view, image, 1, 1, 1, where)
            )
            return self._is_whole(lacking, where)
        # Blender reads no image that has both.
        image.buffer_view = None
        if uri.startswith("data:"):
            return self._is_whole(iter([] if _is_base64(uri) else [f"{where}/uri"]), where)
        text = uri.encode(errors="replace").decode()
        if not os.path.isfile(os.path.join(self._folder, unquote(uri.replace("\\", "/")))):
            self._no_file[where] = text
            self._is_whole(iter([where]), where)
        # An unpaired surrogate, which JSON allows, is not a valid path for Blender.
        return bool(text == uri)

    def _material(self, material: Any, where: str) -> None:
        """Remove the missing textures of a material."""
        for owner, fields, place in (
            (material, _TEXTURES, where),
            (material.pbr_metallic_roughness, _PBR_TEXTURES, f"{where}/pbrMetallicRoughness"),
        ):
            for field, name in fields.items() if owner is not None else ():
                info = getattr(owner, field)
                if info is not None and not is_index(info.index, self._counts["texture"]):
                    self._miss(f"{place}/{name}", "texture", info.index)
                    setattr(owner, field, None)
        for name, extension in (material.extensions or {}).items():
            for field, info in list(extension.items()) if isinstance(extension, dict) else ():
                is_texture = field.endswith("Texture") and isinstance(info, dict) and "index" in info
                if is_texture and not is_index(info["index"], self._counts["texture"]):
                    self._miss(f"{where}/extensions/{name}/{field}", "texture", info["index"])
                    del extension[field]

    def _skins(self) -> None:
        kept: dict[int, int] = {}
        skins = self._document.skins or []
        for number, skin in enumerate(skins):
            where = f"/skins/{number}"
            self._cut(skin, "skeleton", "node", where)
            if skin.inverse_bind_matrices is not None:
                place = f"{where}/inverseBindMatrices"
                whole = self._has_data(skin.inverse_bind_matrices, place, len(skin.joints), "MAT4")
                skin.inverse_bind_matrices = skin.inverse_bind_matrices if whole else None
            if self._those(skin.joints, "node", f"{where}/joints") == skin.joints != []:
                kept[number] = len(kept)
        if len(kept) == len(skins):
            return
        self._document.skins = [skins[number] for number in kept]
        for node in self._document.nodes or []:
            node.skin = kept.get(node.skin)

    def _channels(self, animation: Any, where: str) -> None:
        """Keep the channels of an animation with a valid node, sampler and data."""
        fine = [
            all(
                self._has_data(getattr(sampler, field), f"{where}/samplers/{number}/{field}")
                for field in ("input", "output")
            )
            for number, sampler in enumerate(animation.samplers)
        ]
        kept = []
        for number, channel in enumerate(animation.channels):
            place = f"{where}/channels/{number}"
            if not is_index(channel.sampler, len(fine)):
                self._miss(f"{place}/sampler", "sampler", channel.sampler)
            elif channel.target.node is not None and not is_index(channel.target.node, self._counts["node"]):
                self._miss(f"{place}/target/node", "node", channel.target.node)
            elif fine[channel.sampler]:
                kept.append(channel)
        animation.channels = kept

    def _cut(self, owner: Any, field: str, what: str, where: str) -> None:
        """Remove an index that is invalid."""
        index = getattr(owner, field)
        if index is not None and not is_index(index, self._counts[what]):
            self._miss(f"{where}/{field}", what, index)
            setattr(owner, field, None)

    def _those(self, given: list[int] | None, what: str, where: str) -> list[int] | None:
        """Return the valid indices of a list."""
        if given is None:
            return None
        for place, index in enumerate(given):
            if not is_index(index, self._counts[what]):
                self._miss(f"{where}/{place}", what, index)
        return [index for index in given if is_index(index, self._counts[what])]

    def _miss(self, where: str, what: str, index: object) -> None:
        self._issues.add(where, sentences.MISSING, what=what, index=index)

    def _has_data(self, accessor: int, where: str, least: int = 1, kind: str | None = None) -> bool:
        """Return whether an accessor and all of its bytes exist. Missing data is noted.

        At least this many elements, and this type.
        """
        if not is_index(accessor, self._counts["accessor"]):
            self._miss(where, "accessor", accessor)
            return False
        return self._is_whole(self._lacking(self._document.accessors[accessor], accessor, least, kind), where)

    def _is_whole(self, lacking: Iterator[str], where: str) -> bool:
        """Return whether nothing is missing. The first missing place is noted."""
        first = next(lacking, None)
        if first in self._no_file:
            self._issues.add(where, sentences.NO_FILE, uri=self._no_file[first])
        elif first is not None:
            self._issues.add(where, sentences.NO_DATA, where=first)
        return first is None

    def _lacking(self, accessor: Any, number: int, least: int, kind: str | None) -> Iterator[str]:
        """Yield the places of missing accessor data in the file, as JSON pointers."""
        where = f"/accessors/{number}"
        width, height = _BYTES.get(accessor.component_type), _COMPONENTS.get(accessor.type)
        if width is None or height is None or accessor.count < least or kind not in (None, accessor.type):
            yield where
            return
        if accessor.buffer_view is not None:
            yield from self._short(accessor.buffer_view, accessor, accessor.count, width, width * height, where)
        sparse = accessor.sparse
        if sparse is not None:
            of_index = _BYTES.get(sparse.indices.component_type)
            if of_index is None or not 1 <= sparse.count <= accessor.count:
                yield f"{where}/sparse"
                return
            part = f"{where}/sparse"
            yield from self._short(
                sparse.indices.buffer_view, sparse.indices, sparse.count, of_index, of_index, f"{part}/indices"
            )
            yield from self._short(
                sparse.values.buffer_view, sparse.values, sparse.count, width, width * height, f"{part}/values"
            )

    def _short(self, view: int, owner: Any, count: int, width: int, size: int, where: str) -> Iterator[str]:
        """Yield the places where bytes of a buffer view are missing."""
        if not is_index(view, self._counts["buffer view"]):
            yield f"{where}/bufferView"
            return
        part = self._document.buffer_views[view]
        if part.extensions:  # compressed: other bytes than these are read
            return
        if not is_index(part.buffer, self._counts["buffer"]):
            yield f"/bufferViews/{view}/buffer"
            return
        if part.buffer not in self._sizes:
            data = self._load(part.buffer)
            self._sizes[part.buffer] = -1 if data is None else len(data)
            uri = self._document.buffers[part.buffer].uri
            if data is None and uri and not uri.startswith("data:"):
                self._no_file[f"/buffers/{part.buffer}"] = uri
        start, stride = part.byte_offset or 0, part.byte_stride or size
        if self._sizes[part.buffer] < 0:
            yield f"/buffers/{part.buffer}"
        elif start < 0 or part.byte_length < 0 or start + part.byte_length > self._sizes[part.buffer]:
            yield f"/bufferViews/{view}"
        offset = getattr(owner, "byte_offset", None) or 0
        if offset < 0 or stride < size or stride % width or offset + stride * (count - 1) + size > part.byte_length:
            yield where


def _is_base64(uri: str) -> bool:
    """Return whether a data URI can be decoded by Blender's importer."""
    _, found, data = uri.partition(";base64,")
    try:
        base64.b64decode(data)
    except ValueError:
        return False
    return bool(found)
