/** What one client of a live browser may ask for. */
export interface FenceLimits {
  /** Bytes of a message. */
  readonly bytes: number
  /** How deep lists and records lie in each other. */
  readonly depth: number
  /** Messages in a second. */
  readonly rate: number
  /** Commands that wait for their answer. */
  readonly waiting: number
  /** Tabs of the session. */
  readonly tabs: number
}

export const defaultFenceLimits: FenceLimits = {
  bytes: 64 * 1_048_576,
  depth: 100,
  rate: 5_000,
  waiting: 10_000,
  tabs: 20,
}

/** Whether lists and records lie deeper in each other than allowed; told without reading the text as JSON. */
export function isTooDeep(text: string, most: number): boolean {
  let depth = 0
  let isText = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isText) {
      if (code === 92) index += 1
      else if (code === 34) isText = false
    } else if (code === 34) isText = true
    else if (code === 123 || code === 91) {
      if (++depth > most) return true
    } else if (code === 125 || code === 93) depth -= 1
  }
  return false
}

/** Counts messages by the second. */
export function makeRate(most: number, now: () => number = performance.now.bind(performance)): () => boolean {
  let since = now()
  let count = 0
  return () => {
    if (now() - since >= 1_000) {
      since = now()
      count = 0
    }
    count += 1
    return count <= most
  }
}
