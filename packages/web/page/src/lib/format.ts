export function duration(ms: number): string {
  if (ms < 950) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`
}

export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`
  if (count < 1_000_000) return `${Math.round(count / 1_000)} KB`
  return `${(count / 1_000_000).toFixed(1)} MB`
}

export function number(value: number): string {
  return new Intl.NumberFormat('en').format(value)
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export function when(iso: string | number): string {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? String(iso) : moment.format(date)
}

// Letters that a terminal or a browser would act on rather than show.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text of strangers with its invisible letters made visible, so that it cannot pretend to be something else. */
export function shown(text: string): string {
  return text.replaceAll(hidden, (letter) => `\u27e8${letter.codePointAt(0)?.toString(16)}\u27e9`)
}

export interface StatusSign {
  readonly kind: 'ok' | 'moved' | 'refused' | 'broken' | 'none'
  readonly sign: string
}

export function statusSign(status: number | undefined): StatusSign {
  if (status === undefined || status === 0) return { kind: 'none', sign: '○' }
  if (status < 300) return { kind: 'ok', sign: '✓' }
  if (status < 400) return { kind: 'moved', sign: '→' }
  return status < 500 ? { kind: 'refused', sign: '!' } : { kind: 'broken', sign: '✕' }
}

/** How long ago something was. */
export function since(iso: string, now = Date.now()): string {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000)
  if (!(minutes >= 1)) return 'just now'
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
}
