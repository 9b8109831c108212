// What of addresses and texts is the same on another day.
/** Long numbers are of the day, as those of orders. */
export const withoutNumbers = (text: string): string => text.replaceAll(/\d{3,}/g, '#')

/** An address without what follows `?`. */
export function plainAddress(address: string): string {
  const url = URL.parse(address)
  return url && url.origin !== 'null' ? withoutNumbers(`${url.origin}${url.pathname}`) : address
}
