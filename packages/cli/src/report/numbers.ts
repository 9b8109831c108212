// Formats numbers and computes percentiles.

/** Formats a number with separators, such as `1,234`. */
export function count(value: number): string {
  return new Intl.NumberFormat('en').format(value)
}

/** Formats a number of bytes in decimal units, such as `1.2 MB`. */
export function bytes(value: number): string {
  if (value < 1_000) return `${value} B`
  return value < 999_500 ? `${Math.round(value / 1_000)} KB` : `${(value / 1_000_000).toFixed(1)} MB`
}

/** Formats a duration in milliseconds, such as `3.4 s`. */
export function time(ms: number): string {
  if (ms < 950) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Returns the value below or at which this share (0 to 1) of the values lies. Returns 0 without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? 0
}

/** Rounds up to a number that is easy to read and to halve: 1, 2, 4, 6, 8 or 10 times a power of ten, at least 1. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? 10 * power
}

export type Kind = 'ok' | 'moved' | 'refused' | 'broken'
export const kinds: readonly Kind[] = ['ok', 'moved', 'refused', 'broken']
export const signs: Readonly<Record<Kind, string>> = { ok: '✓', moved: '→', refused: '!', broken: '✕' }

/**
 * Returns the group of an HTTP status: `ok` below 300, `moved` for a redirect, `refused` for a client error, `broken` from 500.
 */
export function kindOf(status: number): Kind {
  if (status < 300) return 'ok'
  return status < 400 ? 'moved' : status < 500 ? 'refused' : 'broken'
}
