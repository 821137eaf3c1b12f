// SPDX-License-Identifier: GPL-3.0-or-later OR MIT
// Copyright (c) 2026 The Collision Kit contributors
//
// You may use this file under the GNU General Public License, version 3 or later, as the rest of Collision Kit, or under the MIT License:
// Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
// "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
// distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
// the following conditions: The above copyright notice and this permission notice shall be included in all copies or substantial portions of
// the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
// WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
// LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
// CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
//
// Turns meshes that are named as colliders into colliders when Unity imports a model.
//
// Put this file into a folder named Editor in your project, and import the models again. It reads the names that Collision Kit
// writes: UBX_, USP_, UCP_ and UCX_ at the beginning, -convcolonly and -colonly at the end, and _collider at the end.

using System;
using System.Text.RegularExpressions;
using UnityEditor;
using UnityEngine;

public class CollisionKitPostprocessor : AssetPostprocessor
{
    static readonly Regex Prefix = new Regex("^(UBX|USP|UCP|UCX)_.", RegexOptions.IgnoreCase);
    static readonly Regex Suffix = new Regex("[-_](convcolonly|colonly|collider)[0-9_. ]*$", RegexOptions.IgnoreCase);

    // What a name asks for: "box", "sphere", "capsule", "hull", "mesh"; empty for a mesh that is no collider.
    public static string KindOf(string name)
    {
        Match prefix = Prefix.Match(name);
        if (prefix.Success)
        {
            switch (prefix.Groups[1].Value.ToUpperInvariant())
            {
                case "UBX": return "box";
                case "USP": return "sphere";
                case "UCP": return "capsule";
                default: return "hull";
            }
        }
        Match suffix = Suffix.Match(name);
        if (!suffix.Success)
        {
            return "";
        }
        return suffix.Groups[1].Value.ToLowerInvariant() == "colonly" ? "mesh" : "hull";
    }

    void OnPostprocessModel(GameObject root)
    {
        foreach (MeshFilter filter in root.GetComponentsInChildren<MeshFilter>(true))
        {
            string kind = KindOf(filter.name);
            if (kind == "" || filter.sharedMesh == null)
            {
                continue;
            }
            AddCollider(filter.gameObject, filter.sharedMesh, kind);
            MeshRenderer renderer = filter.GetComponent<MeshRenderer>();
            if (renderer != null)
            {
                UnityEngine.Object.DestroyImmediate(renderer);
            }
            UnityEngine.Object.DestroyImmediate(filter);
        }
    }

    static void AddCollider(GameObject target, Mesh mesh, string kind)
    {
        Bounds bounds = mesh.bounds;
        switch (kind)
        {
            case "box":
                // The sides of the mesh are taken to be along its axes; others become hulls.
                if (!IsAlongAxes(mesh))
                {
                    goto default;
                }
                BoxCollider box = target.AddComponent<BoxCollider>();
                box.center = bounds.center;
                box.size = bounds.size;
                break;
            case "sphere":
                SphereCollider sphere = target.AddComponent<SphereCollider>();
                sphere.center = bounds.center;
                sphere.radius = Mathf.Max(bounds.extents.x, Mathf.Max(bounds.extents.y, bounds.extents.z));
                break;
            case "capsule":
                AddCapsule(target, bounds);
                break;
            default:
                MeshCollider collider = target.AddComponent<MeshCollider>();
                collider.sharedMesh = mesh;
                collider.convex = kind != "mesh";
                break;
        }
    }

    // The capsule is along the longest side of the bounds.
    static void AddCapsule(GameObject target, Bounds bounds)
    {
        float[] half = { bounds.extents.x, bounds.extents.y, bounds.extents.z };
        int along = half[0] >= half[1] ? (half[0] >= half[2] ? 0 : 2) : (half[1] >= half[2] ? 1 : 2);
        CapsuleCollider capsule = target.AddComponent<CapsuleCollider>();
        capsule.center = bounds.center;
        capsule.direction = along;
        capsule.height = 2.0f * half[along];
        capsule.radius = Mathf.Max(half[(along + 1) % 3], half[(along + 2) % 3]);
    }

    // Whether every vertex is a corner of the bounds.
    static bool IsAlongAxes(Mesh mesh)
    {
        Vector3 low = mesh.bounds.min, high = mesh.bounds.max;
        float near = 1e-4f * mesh.bounds.size.magnitude;
        foreach (Vector3 point in mesh.vertices)
        {
            for (int axis = 0; axis < 3; axis++)
            {
                if (Math.Min(Math.Abs(point[axis] - low[axis]), Math.Abs(point[axis] - high[axis])) > near)
                {
                    return false;
                }
            }
        }
        return true;
    }
}
