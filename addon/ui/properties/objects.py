# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision settings of an object."""

import bpy
from bpy.props import BoolProperty, BoolVectorProperty, EnumProperty, FloatProperty, PointerProperty

from ....core.constants import DEFAULT_FRICTION, DEFAULT_RESTITUTION
from ...i18n import CONTEXT
from ...scene.objects.collision_settings import GROUPS
from ..callbacks import objects as callbacks
from . import colliders as properties_colliders
from .lengths import length_setting

# The numbers are stored in files.
SHAPES = (
    (
        "AUTO",
        "Automatic",
        "Use the rigid body shape, else the shape in the name (UBX_, USP_, UCP_, UCX_), else the mesh",
        0,
    ),
    ("BOX", "Box", "Bounding box along the object's local axes", 1),
    ("SPHERE", "Sphere", "Sphere around the object", 2),
    ("ELLIPSOID", "Ellipsoid", "Ellipsoid as wide as the object along each local axis", 10),
    ("CAPSULE", "Capsule", "Capsule around the object, along its longest axis", 3),
    (
        "CYLINDER",
        "Cylinder",
        "Cylinder around the object, along the axis around which it looks round, or its longest axis",
        4,
    ),
    ("CONE", "Cone", "Cone as wide and high as the object, with its tip along the local Z axis", 9),
    ("HULL", "Convex Hull", "Smallest convex shape around the object", 5),
    ("MESH", "Triangle Mesh", "The mesh itself, including cavities and holes", 6),
    (
        "HALF_SPACE",
        "Infinite Plane",
        "Infinite solid below the object's local XY plane (half-space), such as a floor",
        7,
    ),
    ("NONE", "None", "The object is not tested", 8),
)

MOTIONS = (
    ("AUTO", "Automatic", "As the rigid body says, if there is one", 0),
    ("STATIC", "Static", "The object never moves", 1),
    ("DYNAMIC", "Dynamic", "Forces and collisions move the object", 2),
    ("KINEMATIC", "Kinematic", "Animation or scripts move the object", 3),
)


class COLLISION_KIT_PG_object(bpy.types.PropertyGroup):
    """Collision settings of an object."""

    shape: EnumProperty(
        name="Shape",
        translation_context=CONTEXT,
        description="Shape that this object is tested as",
        items=SHAPES,
        default="AUTO",
        update=callbacks.setting_changed,
        options=set(),
        override={"LIBRARY_OVERRIDABLE"},
    )
    margin: length_setting(
        name="Margin",
        translation_context=CONTEXT,
        description=(
            "Test the shape enlarged by this distance on all sides, like the contact offset of engines. "
            "Not affected by the object's scale"
        ),
        precision=4,
        update=callbacks.setting_changed,
        override={"LIBRARY_OVERRIDABLE"},
    )
    part_of: PointerProperty(
        name="Part Of",
        description=(
            "Object whose body this object belongs to. The two are never tested against each other. For "
            "a collider: its render mesh"
        ),
        type=bpy.types.Object,
        poll=callbacks.may_be_part_of,
        update=callbacks.setting_changed,
        options=set(),
        override={"LIBRARY_OVERRIDABLE"},
    )
    motion: EnumProperty(
        name="Motion Type",
        translation_context=CONTEXT,
        description="How engines move the object. No engine tests pairs of static objects; they are listed in one line",
        items=MOTIONS,
        default="AUTO",
        options=set(),
        update=callbacks.setting_changed,
        override={"LIBRARY_OVERRIDABLE"},
    )
    own_groups: BoolProperty(
        name="Collision Layers",
        description=(
            "Use custom layers. Otherwise: layer 1, tested against all, and rigid bodies by their collision collections"
        ),
        default=False,
        options=set(),
        update=callbacks.setting_changed,
        override={"LIBRARY_OVERRIDABLE"},
    )
    groups: BoolVectorProperty(
        name="Layers",
        description="Layers that this object is in. Some engines call them category or group",
        size=GROUPS,
        subtype="LAYER",
        default=(True, *(False for _ in range(GROUPS - 1))),
        options=set(),
        update=callbacks.setting_changed,
        override={"LIBRARY_OVERRIDABLE"},
    )
    mask: BoolVectorProperty(
        name="Mask",
        description=(
            "Layers that this object collides with. Two objects are tested if each is in a layer that is "
            "in the other's mask"
        ),
        size=GROUPS,
        subtype="LAYER",
        default=(True,) * GROUPS,
        options=set(),
        update=callbacks.setting_changed,
        override={"LIBRARY_OVERRIDABLE"},
    )
    own_surface: BoolProperty(
        name="Surface Response",
        translation_context=CONTEXT,
        description=(
            "Use custom friction and bounciness. Otherwise: those of the rigid body, or friction 0.5 and bounciness 0"
        ),
        default=False,
        options=set(),
        update=callbacks.setting_changed,
        override={"LIBRARY_OVERRIDABLE"},
    )
    friction: FloatProperty(
        name="Friction",
        description=(
            "Friction of the surface: 0 is ice, about 1 is rubber. A contact uses the geometric mean of both surfaces"
        ),
        default=DEFAULT_FRICTION,
        min=0.0,
        soft_max=1.0,
        precision=3,
        options=set(),
        update=callbacks.setting_changed,
        override={"LIBRARY_OVERRIDABLE"},
    )
    restitution: FloatProperty(
        name="Bounciness",
        translation_context=CONTEXT,
        description=(
            "Restitution of the surface: 0 does not bounce, 1 loses no speed. A contact uses the larger "
            "value of both surfaces"
        ),
        default=DEFAULT_RESTITUTION,
        min=0.0,
        max=1.0,
        precision=3,
        options=set(),
        update=callbacks.setting_changed,
        override={"LIBRARY_OVERRIDABLE"},
    )
    collider: PointerProperty(
        name="Collider",
        description="Collider data of this object",
        type=properties_colliders.COLLISION_KIT_PG_collider,
        override={"LIBRARY_OVERRIDABLE"},
    )


CLASSES = (COLLISION_KIT_PG_object,)
