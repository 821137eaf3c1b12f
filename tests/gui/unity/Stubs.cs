// SPDX-License-Identifier: GPL-3.0-or-later
// As much of Unity's classes as engines/unity needs, so that it can be compiled and run without Unity.
using System;
using System.Collections.Generic;

namespace UnityEngine
{
    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public float this[int axis] { get { return axis == 0 ? x : axis == 1 ? y : z; } }
        public float magnitude { get { return (float)Math.Sqrt(x * x + y * y + z * z); } }
    }

    public struct Bounds
    {
        public Vector3 min, max;
        public Vector3 size { get { return new Vector3(max.x - min.x, max.y - min.y, max.z - min.z); } }
        public Vector3 extents { get { Vector3 s = size; return new Vector3(s.x / 2, s.y / 2, s.z / 2); } }
        public Vector3 center { get { return new Vector3((min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2); } }
    }

    public static class Mathf
    {
        public static float Max(float a, float b) { return Math.Max(a, b); }
    }

    public class Object
    {
        public string name = "";
        public static void DestroyImmediate(Object one)
        {
            Component component = one as Component;
            if (component != null) { component.gameObject.components.Remove(component); }
        }
    }

    public class Mesh : Object
    {
        public Bounds bounds;
        public Vector3[] vertices = new Vector3[0];
    }

    public class Component : Object
    {
        public GameObject gameObject;
        public T GetComponent<T>() where T : Component { return gameObject.Get<T>(); }
    }

    public class MeshFilter : Component { public Mesh sharedMesh; }
    public class MeshRenderer : Component { }
    public class Collider : Component { }
    public class BoxCollider : Collider { public Vector3 center, size; }
    public class SphereCollider : Collider { public Vector3 center; public float radius; }
    public class CapsuleCollider : Collider { public Vector3 center; public float radius, height; public int direction; }
    public class MeshCollider : Collider { public Mesh sharedMesh; public bool convex; }

    public class GameObject : Object
    {
        public List<Component> components = new List<Component>();
        public List<GameObject> children = new List<GameObject>();
        public T AddComponent<T>() where T : Component, new()
        {
            T made = new T();
            made.gameObject = this;
            made.name = name;
            components.Add(made);
            return made;
        }
        public T Get<T>() where T : Component
        {
            foreach (Component one in components) { if (one is T) { return (T)one; } }
            return null;
        }
        public T[] GetComponentsInChildren<T>(bool inactive) where T : Component
        {
            List<T> found = new List<T>();
            if (Get<T>() != null) { found.Add(Get<T>()); }
            foreach (GameObject child in children) { found.AddRange(child.GetComponentsInChildren<T>(inactive)); }
            return found.ToArray();
        }
    }
}

namespace UnityEditor
{
    public class AssetPostprocessor { }
}

public static class Program
{
    // Each argument is the name of an object with a box of 2, 4 and 6; the last line of the box is moved for "leaning".
    public static void Main(string[] names)
    {
        UnityEngine.GameObject root = new UnityEngine.GameObject();
        foreach (string name in names)
        {
            UnityEngine.GameObject made = new UnityEngine.GameObject();
            made.name = name;
            UnityEngine.Mesh mesh = new UnityEngine.Mesh();
            List<UnityEngine.Vector3> points = new List<UnityEngine.Vector3>();
            for (int corner = 0; corner < 8; corner++)
            {
                float lean = name.Contains("leaning") && corner > 5 ? 0.5f : 0;
                points.Add(new UnityEngine.Vector3((corner & 1) * 2 - lean, (corner >> 1 & 1) * 4, (corner >> 2) * 6));
            }
            mesh.vertices = points.ToArray();
            mesh.bounds.max = new UnityEngine.Vector3(2, 4, 6);
            made.AddComponent<UnityEngine.MeshFilter>().sharedMesh = mesh;
            made.AddComponent<UnityEngine.MeshRenderer>();
            root.children.Add(made);
        }
        typeof(CollisionKitPostprocessor)
            .GetMethod("OnPostprocessModel", System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Instance)
            .Invoke(new CollisionKitPostprocessor(), new object[] { root });
        foreach (UnityEngine.GameObject one in root.children)
        {
            List<string> parts = new List<string>();
            foreach (UnityEngine.Component part in one.components) { parts.Add(Said(part)); }
            Console.WriteLine(one.name + "|" + string.Join(",", parts.ToArray()));
        }
    }

    static string Said(UnityEngine.Component part)
    {
        string kind = part.GetType().Name;
        UnityEngine.BoxCollider box = part as UnityEngine.BoxCollider;
        if (box != null) { return kind + " " + box.center[2] + " " + box.size[0] + " " + box.size[1] + " " + box.size[2]; }
        UnityEngine.SphereCollider sphere = part as UnityEngine.SphereCollider;
        if (sphere != null) { return kind + " " + sphere.center[2] + " " + sphere.radius; }
        UnityEngine.CapsuleCollider capsule = part as UnityEngine.CapsuleCollider;
        if (capsule != null) { return kind + " " + capsule.direction + " " + capsule.height + " " + capsule.radius; }
        UnityEngine.MeshCollider mesh = part as UnityEngine.MeshCollider;
        return mesh != null ? kind + " " + mesh.convex : kind;
    }
}
