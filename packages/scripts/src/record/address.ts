// Removes parts of URLs and strings that vary from day to day.
/** Replaces numbers of three or more digits, such as order numbers, by `#`. */
export const withoutNumbers = (text: string): string => text.replaceAll(/\d{3,}/g, '#')

/**
 * Returns the origin and path of a URL, with numbers of three or more digits replaced by `#`. Strings without an origin are
 * unchanged, such as `about:` and `file:` URLs and those with a scheme of their own.
 */
export function plainUrl(url: string): string {
  const parsed = URL.parse(url)
  return parsed && parsed.origin !== 'null' ? withoutNumbers(`${parsed.origin}${parsed.pathname}`) : url
}
