/** Formats a duration in milliseconds, such as `3.4 s`. */
export function duration(ms: number): string {
  if (ms < 950) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor((ms % 3_600_000) / 60_000)]
  if (hours < 48) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`
  return `${Math.floor(hours / 24)} days${hours % 24 === 0 ? '' : ` ${hours % 24} h`}`
}

/** Formats a number of bytes in decimal units, such as `1.2 MB`. */
export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`
  if (count < 1_000_000) return `${Math.round(count / 1_000)} KB`
  if (count < 1_000_000_000) return `${(count / 1_000_000).toFixed(1)} MB`
  return `${(count / 1_000_000_000).toFixed(1)} GB`
}

const count = new Intl.NumberFormat('en')

/** Formats a number with separators, such as `1,234`. */
export function number(value: number): string {
  return count.format(value)
}

/** Formats a number with its unit, which is passed in the singular. */
export function counted(value: number, unit: string): string {
  return `${number(value)} ${unit}${value === 1 ? '' : 's'}`
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Formats a time in the user's timezone. Returns an invalid time unchanged. */
export function when(iso: string | number): string {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? String(iso) : moment.format(date)
}

// Control and direction characters that a browser would interpret instead of showing.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Makes invisible characters of untrusted text visible, so that it cannot disguise itself. */
export function shown(text: string): string {
  return text.replaceAll(hidden, (letter) => `\u27e8${letter.codePointAt(0)?.toString(16)}\u27e9`)
}

export interface StatusSign {
  readonly kind: 'ok' | 'moved' | 'refused' | 'broken' | 'none'
  readonly sign: string
}

/** Returns the sign of an HTTP status; `none` without a status. */
export function statusSign(status: number | undefined): StatusSign {
  if (status === undefined || status === 0) return { kind: 'none', sign: '○' }
  if (status < 300) return { kind: 'ok', sign: '✓' }
  if (status < 400) return { kind: 'moved', sign: '→' }
  return status < 500 ? { kind: 'refused', sign: '!' } : { kind: 'broken', sign: '✕' }
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const steps = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
/** Older or later times are shown as a date. */
const mostDays = 7

/**
 * Formats a time relative to now. Both are in milliseconds since 1970. Times that are many days away are shown as
 * dates.
 */
export function ago(at: number, now = Date.now()): string {
  const away = at - now
  const [unit, length] = steps.find(([, length]) => Math.abs(away) >= length) ?? []
  if (unit === undefined || length === undefined) return 'just now'
  const count = Math.trunc(away / length)
  return unit === 'day' && Math.abs(count) > mostDays ? when(at) : relative.format(count, unit)
}
