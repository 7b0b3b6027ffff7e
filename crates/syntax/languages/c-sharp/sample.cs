using System;
using System.Collections.Generic;

namespace Sample
{
    /// <summary>Keeps the time.</summary>
    public sealed class Clock<T> : IDisposable where T : struct
    {
        private readonly Dictionary<string, T> marks = new();
        public int Count { get; private set; } = 0;

        public T this[string name] => marks[name];

        public async Task<bool> Mark(string name, T? value = null)
        {
            if (value is { } known && !marks.ContainsKey(name))
            {
                marks.Add(name, known);
                Count += 1;
            }
            foreach (var (key, mark) in marks) Console.WriteLine($"{key}: {mark}");
            return Count switch { 0 => false, > 10 => true, _ => name == @"c:\" };
        }

        public void Dispose() { lock (marks) { marks.Clear(); } }
    }
}
