// Removes parts of URLs and strings that vary from day to day.
/** Replaces numbers of three or more digits, such as order numbers, by `#`. */
export const withoutNumbers = (text: string): string => text.replaceAll(/\d{3,}/g, '#')

/** Returns a URL without its query and fragment, and with long numbers replaced by `#`. */
export function plainAddress(address: string): string {
  const url = URL.parse(address)
  return url && url.origin !== 'null' ? withoutNumbers(`${url.origin}${url.pathname}`) : address
}
