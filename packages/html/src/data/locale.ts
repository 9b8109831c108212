import { orderOf } from './dates.ts'
import type { LabelledValue } from './types.ts'

const languageNames = ['language', 'content-language', 'og:locale']

/**
 * Returns the language of a page with its region if the page has one: `en-GB`. The region is that of another tag with the
 * same language, or for English that of the URL's country. Empty if the page has no language. Tags for English are often
 * the default of a publishing system, so that a region whose dates have another order than the country's is omitted.
 */
export function localeOf(meta: readonly LabelledValue[], url: string): string {
  const tags = languageNames
    .flatMap((name) => meta.filter(({ label }) => label === name).map(({ value }) => String(value)))
    .map((tag) => tag.trim().replace('_', '-'))
    .filter((tag) => /^[a-z]{2,3}(?:-[a-z\d-]{1,20})?$/i.test(tag))
  const [first = ''] = tags
  const language = first.split('-', 1)[0]!.toLowerCase()
  const withRegion = tags.find((tag) => tag.toLowerCase().startsWith(`${language}-`))
  const country = language === 'en' ? /\.(uk|au|nz|ie|in|za)$/.exec(URL.parse(url)?.hostname ?? '')?.[1] : undefined
  if (country === undefined) return withRegion ?? first
  const ofCountry = `en-${country === 'uk' ? 'gb' : country}`
  if (withRegion === undefined) return ofCountry
  return orderOf(withRegion) === orderOf(ofCountry) ? withRegion : language
}
