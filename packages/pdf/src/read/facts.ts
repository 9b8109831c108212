export type Info = Readonly<Record<string, unknown>>

const factNames: Readonly<Record<string, string>> = {
  Title: 'title',
  Author: 'author',
  Subject: 'description',
  Keywords: 'keywords',
  Creator: 'creator',
  Producer: 'producer',
}

/** Placeholder titles that applications write. */
const noTitle =
  /^(?:untitled|microsoft word\b.*|.{0,80}\.(?:docx?|tex|dvi|pdf|indd|qxd|pptx?|rtf|odt|ps)|\(?anonymous\)?)$/i

/**
 * Returns the metadata of the file under our field names: strings of at most 1,000 characters, and dates in ISO 8601. Missing
 * and empty values and placeholder titles are omitted.
 */
export function metadataOf(info: Info): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [key, name] of Object.entries(factNames)) {
    const value = info[key]
    const text = typeof value === 'string' ? clean(value) : ''
    if (text !== '' && !(name === 'title' && noTitle.test(text))) found[name] = text
  }
  const created = dateOf(info['CreationDate'])
  const changed = dateOf(info['ModDate'])
  return { ...found, ...(created && { publishedTime: created }), ...(changed && { modifiedTime: changed }) }
}

function clean(text: string): string {
  return text
    .replaceAll(/[\0-\x1f\x7f]+/g, ' ')
    .trim()
    .slice(0, 1_000)
}

/** Converts a date such as `D:20230204115901+01'00'` to ISO 8601 in UTC. Returns `undefined` if it is not a date. */
export function dateOf(value: unknown): string | undefined {
  const match =
    typeof value === 'string' &&
    /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|Z)?/.exec(value)
  if (!match) return undefined
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', sign, h = '00', m = '00'] = match
  const zone = sign ? `${sign}${h}:${m}` : 'Z'
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
