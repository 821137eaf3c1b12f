# SPDX-License-Identifier: GPL-3.0-or-later
"""What is stored in Blender's data, feature by feature; `scene` has what hangs on a scene."""
