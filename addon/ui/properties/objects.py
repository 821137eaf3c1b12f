# SPDX-License-Identifier: GPL-3.0-or-later
"""What an object is to collisions."""

import bpy
from bpy.props import BoolProperty, BoolVectorProperty, EnumProperty, FloatProperty, PointerProperty

from ....core.shapes.batch import DEFAULT_FRICTION, DEFAULT_RESTITUTION
from ...i18n import CONTEXT
from ...scene.objects.traits import GROUPS
from ..callbacks import objects as callbacks
from . import colliders as properties_colliders

# The numbers are what files hold.
SHAPES = (
    (
        "AUTO",
        "Automatic",
        "Its rigid body's shape; without one, what its name says (UBX_, USP_, UCP_, UCX_); without that, its mesh",
        0,
    ),
    ("BOX", "Box", "The box around it, along its own axes", 1),
    ("SPHERE", "Sphere", "The sphere around it", 2),
    ("ELLIPSOID", "Ellipsoid", "The ellipsoid as wide as it along each of its own axes", 10),
    ("CAPSULE", "Capsule", "The capsule around it, along its longest axis", 3),
    ("CYLINDER", "Cylinder", "The cylinder around it, along its longest axis", 4),
    ("CONE", "Cone", "The cone as wide and as high as it, with its tip up along its own Z axis", 9),
    ("HULL", "Convex Hull", "The tightest convex shape around it", 5),
    ("MESH", "Triangle Mesh", "Its mesh as it is, hollows and holes included", 6),
    ("HALF_SPACE", "Half-Space", "Everything below its origin, against its own Z axis: a floor without end", 7),
    ("NONE", "Nothing", "It is not tested", 8),
)


class COLLISION_KIT_PG_object(bpy.types.PropertyGroup):
    """What an object is to collisions."""

    shape: EnumProperty(
        name="Shape",
        translation_context=CONTEXT,
        description="The shape that this object stands for when it is tested",
        items=SHAPES,
        default="AUTO",
        update=callbacks.setting_changed,
        options=set(),
        override={"LIBRARY_OVERRIDABLE"},
    )
    margin: FloatProperty(
        name="Margin",
        translation_context=CONTEXT,
        description=(
            "The shape is tested as if it were thicker by this on all sides, with round edges: a safety distance, or "
            "the skin that engines put around shapes. It does not grow with the object's scale"
        ),
        default=0.0,
        min=0.0,
        soft_max=1.0,
        step=1,
        precision=4,
        subtype="DISTANCE",
        options=set(),
        update=callbacks.setting_changed,
        override={"LIBRARY_OVERRIDABLE"},
    )
    part_of: PointerProperty(
        name="Part Of",
        description=(
            "This object belongs to the body of that one, and the two are never tested against each other. Of a "
            "collider: the object that it stands for, whatever its name says"
        ),
        type=bpy.types.Object,
        poll=callbacks.may_be_part_of,
        update=callbacks.setting_changed,
        options=set(),
        override={"LIBRARY_OVERRIDABLE"},
    )
    own_groups: BoolProperty(
        name="Collision Groups",
        description=(
            "Give this object groups of its own. Off: it is in group 1 and meets all; two rigid bodies meet where they "
            "share a collision collection, as in Blender's simulation"
        ),
        default=False,
        options=set(),
        update=callbacks.setting_changed,
        override={"LIBRARY_OVERRIDABLE"},
    )
    groups: BoolVectorProperty(
        name="In Groups",
        description="The groups that this object is in. Engines call them category or layer",
        size=GROUPS,
        subtype="LAYER",
        default=(True, *(False for _ in range(GROUPS - 1))),
        options=set(),
        update=callbacks.setting_changed,
        override={"LIBRARY_OVERRIDABLE"},
    )
    mask: BoolVectorProperty(
        name="Meets Groups",
        description=(
            "The groups that this object is tested against. Two objects are tested if each of them is in a group that "
            "the other meets. Engines call it mask"
        ),
        size=GROUPS,
        subtype="LAYER",
        default=(True,) * GROUPS,
        options=set(),
        update=callbacks.setting_changed,
        override={"LIBRARY_OVERRIDABLE"},
    )
    own_surface: BoolProperty(
        name="Surface",
        translation_context=CONTEXT,
        description=(
            "Give this object a friction and restitution of its own. Off: those of its rigid body or, without one, "
            "friction 0.5 and restitution 0"
        ),
        default=False,
        options=set(),
        update=callbacks.setting_changed,
        override={"LIBRARY_OVERRIDABLE"},
    )
    friction: FloatProperty(
        name="Friction",
        description=(
            "How hard this surface is to slide on: 0 is ice, rubber is about 1. A contact has the geometric mean of "
            "its two surfaces"
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
        name="Restitution",
        translation_context=CONTEXT,
        description=(
            "How much of a blow this surface gives back: 0 is clay, 1 bounces for ever. A contact has the larger one "
            "of its two surfaces"
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
        description="What is known of it if it was made as a collider",
        type=properties_colliders.COLLISION_KIT_PG_collider,
        override={"LIBRARY_OVERRIDABLE"},
    )


CLASSES = (COLLISION_KIT_PG_object,)
