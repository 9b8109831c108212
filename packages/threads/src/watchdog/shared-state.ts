// Memory shared by the main thread and the watchdog thread: counters of event-loop turns and of signals, and the latest
// activities.
const recentCount = 4
const recentBytes = 300
const beatsAt = 0
const nextAt = 1
const signalsAt = 2
const headerBytes = 12

/** Allocates the memory of one watchdog. */
export function makeSharedState(): SharedArrayBuffer {
  return new SharedArrayBuffer(headerBytes + recentCount * recentBytes)
}

/** Access to the shared memory, from either thread. */
export interface SharedState {
  beat(): void
  beats(): number
  /** Counts a signal that the main thread has received. */
  signal(): void
  signals(): number
  /** Stores an activity in place of the oldest one. */
  note(activity: string): void
  /** The latest activities, oldest first. */
  recent(): readonly string[]
}

/** Opens the memory of a watchdog. Only the 4 latest activities are remembered, each cut to 300 bytes. */
export function openSharedState(memory: SharedArrayBuffer): SharedState {
  const counters = new Int32Array(memory, 0, 3)
  const slots = Array.from({ length: recentCount }, (_, index) =>
    Buffer.from(memory, headerBytes + index * recentBytes, recentBytes),
  )
  return {
    beat: () => void Atomics.add(counters, beatsAt, 1),
    beats: () => Atomics.load(counters, beatsAt),
    signal: () => void Atomics.add(counters, signalsAt, 1),
    signals: () => Atomics.load(counters, signalsAt),
    note: (activity) => {
      const slot = slots[Atomics.add(counters, nextAt, 1) & (recentCount - 1)]
      if (slot === undefined) return
      const written = slot.write(activity, 'utf8')
      if (written < recentBytes) slot[written] = 0
    },
    recent: () => {
      const next = Atomics.load(counters, nextAt)
      return slots.flatMap((_, index) => {
        const slot = slots[(next + index) & (recentCount - 1)]
        const text = slot?.toString('utf8').replace(/\0[^]*$/, '') ?? ''
        return text === '' ? [] : [text]
      })
    },
  }
}
