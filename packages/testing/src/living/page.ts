// The pages of a living site: their content, and the noise that changes without any change of the content.
import { chance } from './chance.ts'
import type { PageState } from './plan.ts'

const words = (
  'harvestman spider leg eye web garden wall stone moss bark leaf morning evening summer winter shadow light window door path ' +
  'river bridge field forest meadow tower market letter table lamp clock music story colour paper wheel boat island harbour'
).split(' ')

const ads = ['Shoes for less', 'Fly to the sea', 'A loan today', 'Learn to paint', 'New kitchens', 'Drive electric']

/** Returns a sentence derived from the numbers. */
function sentence(...numbers: readonly number[]): string {
  const next = chance(numbers.reduce((sum, number) => sum * 7_919 + number + 1, 17))
  const some = Array.from({ length: 9 + Math.floor(next() * 8) }, () => words[Math.floor(next() * words.length)] ?? '')
  const text = some.join(' ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

/** Returns the price of a page in cents, which differs after each change. `number` is the number of the page. */
export function priceOf(number: number, changes: number): number {
  return 1_000 + ((number * 37) % 900) + changes * 111
}

/** Values that differ between visits. */
export interface Noise {
  readonly now: number
  readonly visit: number
}

/** Parts of a page that are independent of its state. */
export interface Surroundings {
  /** Number of pages of the site. */
  readonly pages: number
  /** Bytes of styles. */
  readonly weight: number
  readonly hasFeed: boolean
  readonly noise?: Noise | undefined
}

/** Returns the HTML of a page. Without noise it depends only on the state. */
export function livingPage(
  number: number,
  { text, price }: PageState,
  { pages, weight, hasFeed, noise }: Surroundings,
): string {
  const token = noise
    ? chance(number * 31 + noise.visit)()
        .toString(36)
        .slice(2, 12)
    : ''
  const paragraphs = Array.from({ length: 5 }, (_, at) => {
    const version = at === number % 5 ? text : 0
    return `<p>${sentence(number, at, 0)} ${sentence(number, at, 1 + version * 5)} ${sentence(number, at, 2)}</p>`
  })
  const links = [number * 3 + 1, number * 3 + 2, number * 3 + 3, number - 1]
    .filter((one) => one >= 0 && one < pages)
    .map((one) => `<li><a href="/page/${one}${noise ? `?sid=${token}` : ''}">Page ${one}</a></li>`)
  const cents = priceOf(number, price)
  return `<!doctype html><html lang="en"><head><title>Page ${number}</title>
<link rel="stylesheet" href="/site.css${noise ? `?v=${token}` : ''}">${hasFeed ? '<link rel="alternate" type="application/atom+xml" href="/feed.xml">' : ''}${stylesOf(weight)}</head><body>
<header><a href="/">Home</a>${noise ? `<div class="ad banner">${ads[noise.visit % ads.length] ?? ''}</div>` : ''}</header>
<main><h1>Page ${number}</h1>${paragraphs.join('\n')}
<p>Price: <span class="price" data-price="${cents}">€${(cents / 100).toFixed(2)}</span></p>
${noise ? noisePart(noise, token) : ''}</main>
<nav><ul>${links.join('')}</ul></nav><footer>© 2026 Living site</footer></body></html>`
}

function stylesOf(weight: number): string {
  return weight === 0 ? '' : `<style>${'.a{color:#123}'.repeat(Math.ceil(weight / 14))}</style>`
}

function noisePart({ now, visit }: Noise, token: string): string {
  const time = new Date(now).toISOString()
  return `<p>Page generated at ${time.slice(11, 19)} on ${time.slice(0, 10)}</p><p>${(1_000 + visit * 7).toLocaleString('en')} views</p>
<p>Last seen ${(visit % 50) + 2} minutes ago</p><form><input type="hidden" name="csrf" value="${token}"></form>
<aside class="ad">${ads[(visit + 3) % ads.length] ?? ''}</aside>`
}
