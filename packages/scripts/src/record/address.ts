// Removes parts of URLs and strings that vary from day to day.
/** Replaces numbers of three or more digits, such as order numbers, by `#`. */
export const withoutNumbers = (text: string): string => text.replaceAll(/\d{3,}/g, '#')

/**
 * Returns a URL without its query and fragment, and with numbers of three or more digits replaced by `#`. Returns other
 * strings, and URLs without a host, unchanged.
 */
export function plainUrl(url: string): string {
  const parsed = URL.parse(url)
  return parsed && parsed.origin !== 'null' ? withoutNumbers(`${parsed.origin}${parsed.pathname}`) : url
}
