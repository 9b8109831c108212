// Reads calendars (RFC 5545).
import { countElements, type Converting } from '../converting.ts'
import { factsOf, type Converted } from '../facts.ts'
import { plainHtml } from '../html/plain.ts'
import { link } from '../html/blocks.ts'
import { damaged } from '../refuse.ts'
import { decodeText } from '../text-files.ts'
import { escapeText } from '../xml/entities.ts'
import { contentLines, textOf, type ContentLine } from './content-lines.ts'

const shown: ReadonlySet<string> = new Set(['VEVENT', 'VTODO', 'VJOURNAL'])
const maxLines = 500
const maxDepth = 20

/** Reads the events, tasks and journal entries of a calendar, in the order of the file. Throws `unsupported_file` without one. */
export function readCalendar(bytes: Uint8Array, work: Converting): Converted {
  const take = countElements(work)
  const open: string[] = []
  const parts: string[] = []
  let entry: ContentLine[] | undefined
  let title = ''
  let isCalendar = false
  for (const line of contentLines(decodeText(bytes))) {
    const component = line.value.trim().toUpperCase()
    if (line.name === 'BEGIN') {
      isCalendar ||= component === 'VCALENDAR'
      if (open.length < maxDepth) open.push(component)
      if (shown.has(component)) entry = []
    } else if (line.name === 'END') {
      open.pop()
      if (!shown.has(component) || !entry) continue
      if (!take('p')) break
      parts.push(entryHtml(entry))
      entry = undefined
    } else if (entry && shown.has(open[open.length - 1] ?? '')) {
      if (entry.length < maxLines) entry.push(line)
    } else if (line.name === 'X-WR-CALNAME') title = textOf(line.value)
  }
  if (!isCalendar) throw damaged('it contains no calendar')
  const first = title === '' ? '' : `<h1>${escapeText(title)}</h1>`
  return { html: first + parts.join(''), facts: factsOf({ title }) }
}

const labels: Readonly<Record<string, string>> = {
  DTSTART: 'Start',
  DTEND: 'End',
  DUE: 'Due',
  DURATION: 'Duration',
  RRULE: 'Repeats',
  LOCATION: 'Location',
  STATUS: 'Status',
  ORGANIZER: 'Organizer',
  ATTENDEE: 'Attendee',
  CATEGORIES: 'Categories',
  URL: 'URL',
}

function entryHtml(lines: readonly ContentLine[]): string {
  const summary = lines.find(({ name }) => name === 'SUMMARY')
  const description = lines.find(({ name }) => name === 'DESCRIPTION')
  const rows = Object.entries(labels).flatMap(([name, label]) =>
    lines.filter((line) => line.name === name).map((line) => `<li>${label}: ${valueHtml(line)}</li>`),
  )
  const heading = summary ? textOf(summary.value).replaceAll('\n', ' ').trim() : ''
  return (
    `<h2>${escapeText(heading === '' ? 'Entry' : heading)}</h2>` +
    (rows.length > 0 ? `<ul>${rows.join('')}</ul>` : '') +
    (description ? plainHtml(textOf(description.value)) : '')
  )
}

function valueHtml(line: ContentLine): string {
  const { name, value, parameters } = line
  if (name === 'DTSTART' || name === 'DTEND' || name === 'DUE') return escapeText(timeOf(line))
  if (name === 'URL') return link(value, escapeText(value))
  if (name === 'ORGANIZER' || name === 'ATTENDEE') {
    const address = value.replace(/^mailto:/i, '')
    const common = parameters.get('CN')
    return escapeText(common === undefined || common === address ? address : `${common} <${address}>`)
  }
  return escapeText(textOf(value).replaceAll('\n', ', '))
}

/** Formats a date or a time as ISO 8601, with its time zone in parentheses. */
function timeOf({ value, parameters }: ContentLine): string {
  const [, year, month, day, hour, minute, second = '00', utc = ''] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?$/.exec(value.trim()) ?? []
  if (year === undefined) return value
  const date = `${year}-${month}-${day}`
  if (hour === undefined) return date
  const zone = parameters.get('TZID')
  return `${date} ${hour}:${minute}${second === '00' ? '' : `:${second}`}${utc === '' ? '' : ' UTC'}${zone === undefined ? '' : ` (${zone})`}`
}
