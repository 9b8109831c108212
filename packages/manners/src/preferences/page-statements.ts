// Statements that a page makes about itself, in its headers and elements.
import { readContentUsage, readReservation, readRobotsTag, rslLinks } from './fields.ts'
import { sourceOf, type Statement } from './statements.ts'

/** Values of an attribute of the elements that match a selector. */
export interface FoundAttribute {
  readonly selector: string
  readonly attribute: string
  readonly values: readonly string[]
}

/** The statements of a page. */
export interface PageStatements {
  readonly statements: readonly Statement[]
  /** URLs of RSL licences. */
  readonly licenses: readonly string[]
  /** URLs of policies for text and data mining. */
  readonly policies: readonly string[]
}

const robots = 'meta[name="robots" i]'
const reservation = 'meta[name="tdm-reservation" i]'
const policy = 'meta[name="tdm-policy" i]'
const license = 'link[rel~="license" i][type="application/rsl+xml" i]'
const botTag = (bot: string): string => `meta[name="${bot.toLowerCase().replaceAll(/[^\w-]/g, '')}" i]`

/** Returns the elements that state preferences, for the reading of a page. */
export function statingElements(bot: string): readonly { readonly selector: string; readonly attribute: string }[] {
  return [
    ...[robots, botTag(bot), reservation, policy].map((selector) => ({ selector, attribute: 'content' })),
    { selector: license, attribute: 'href' },
  ]
}

/** Reads the headers of a page, with names in lower case, and its elements if it is HTML. */
export function readPageStatements(
  page: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  elements: readonly FoundAttribute[],
  bot: string,
): PageStatements {
  const { url, headers } = page
  const header = (name: string) =>
    [headers[name] ?? '', sourceOf(`header ${name} of ${url}`, headers[name] ?? '')] as const
  const valuesOf = (wanted: string): readonly string[] =>
    elements.find(({ selector }) => selector === wanted)?.values ?? []
  const element = (name: string, value: string) => sourceOf(`meta element ${name} of ${url}`, value)
  const tags = (['robots', bot] as const).flatMap((name, index) =>
    valuesOf(index === 0 ? robots : botTag(bot)).flatMap((value) => readRobotsTag(value, bot, element(name, value))),
  )
  const ofMeta = valuesOf(reservation).flatMap((value) => readReservation(value, element('tdm-reservation', value)))
  const ofHeader = 'tdm-reservation' in headers ? readReservation(...header('tdm-reservation')) : []
  return {
    statements: [
      ...readContentUsage(...header('content-usage')),
      ...readRobotsTag(headers['x-robots-tag'] ?? '', bot, header('x-robots-tag')[1]),
      ...tags,
      // The element takes precedence over the header.
      ...(ofMeta.length > 0 ? ofMeta : ofHeader),
    ],
    licenses: absolute([...rslLinks(headers['link'] ?? ''), ...valuesOf(license)], url),
    policies: absolute(
      [...valuesOf(policy), ...(headers['tdm-policy'] === undefined ? [] : [headers['tdm-policy']])],
      url,
    ),
  }
}

const maxUrls = 20

function absolute(urls: readonly string[], base: string): readonly string[] {
  return [...new Set(urls.slice(0, maxUrls).flatMap((text) => URL.parse(text, base)?.href ?? []))]
}
