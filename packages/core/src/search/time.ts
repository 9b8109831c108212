import type { SearchTime } from '@harvestman/ports'

/** Time range and order of a `tbs` option. Clients know the notation from Google. */
export interface RequestedTime {
  readonly time?: SearchTime
  readonly newestFirst: boolean
  /** Unknown parts. */
  readonly unknown: readonly string[]
}

const spans = { h: 'hour', d: 'day', w: 'week', m: 'month', y: 'year' } as const

/**
 * Parses `qdr:w`, `cdr:1,cd_min:1/31/2026,cd_max:2/28/2026` and `sbd:1`, joined by commas. Other parts are ignored and returned
 * in `unknown`.
 */
export function readTime(tbs: string): RequestedTime {
  let span: SearchTime | undefined
  const days: { from?: string; to?: string } = {}
  let newestFirst = false
  const unknown: string[] = []
  for (const part of tbs.split(',').map((one) => one.trim())) {
    const [name = '', value = ''] = part.split(':')
    const letter = /^([hdwmy])1?$/.exec(value)?.[1] as keyof typeof spans | undefined
    const day = readDay(value)
    if (name === 'qdr' && letter) span = { within: spans[letter] }
    else if (name === 'cd_min' && day) days.from = day
    else if (name === 'cd_max' && day) days.to = day
    else if (name === 'sbd') newestFirst = value === '1'
    else if (part !== '' && name !== 'cdr') unknown.push(part)
  }
  const time = days.from !== undefined || days.to !== undefined ? days : span
  return { ...(time && { time }), newestFirst, unknown }
}

/** Converts month, day and year to a date such as `2026-01-31`; `undefined` if there is no such day. */
function readDay(text: string): string | undefined {
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = Date.parse(written)
  // `Date.parse` accepts February 31 as March 3.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(written) ? written : undefined
}
