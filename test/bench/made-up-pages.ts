// Pages of about 68 KB with 170 links each, the same in every run.

const links = { inside: 112, again: 44, outside: 14 }
const words = (
  'harvestman spider orchard ladder market river autumn window engine copper letter garden winter people measure ' +
  'station village thunder paper simple answer morning silver narrow between common history picture weather travel'
).split(' ')

/** Numbers that look like chance and are the same in every run. */
export function dice(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return state / 2 ** 32
  }
}

/** Returns makers of words and sentences. Words of two, so that there are as many as in a language. */
export function makeWords(roll: () => number): { word: () => string; sentence: (length: number) => string } {
  const half = (): string => words[Math.floor(roll() ** 2 * words.length)] ?? ''
  const word = (): string => (roll() < 0.5 ? half() : half() + half())
  return { word, sentence: (length) => `${Array.from({ length }, word).join(' ')}.` }
}

/** Returns the path of the page of a number. */
export const madeUpPath = (to: number): string => (to === 0 ? '/' : `/articles/${to}-${words[to % words.length]}`)

/** The page of a number, of so many; each can be reached from the first over links. */
export function madeUpPage(number: number, pages: number): string {
  const roll = dice(number + 1)
  const { word, sentence } = makeWords(roll)
  // A tree under every page, so that all are found soon; the rest leads anywhere.
  const below = Array.from({ length: 60 }, (_, index) => number * 60 + index + 1).filter((to) => to < pages)
  const anywhere = Array.from({ length: links.inside - below.length }, () => Math.floor(roll() * pages))
  const inside = [...below, ...anywhere]
  const anchor = (to: number): string =>
    `<a href="${madeUpPath(to)}" class="link link--quiet" data-n="${to}">${sentence(4)}</a>`
  const items = inside.map(
    (to) => `<li class="card"><h3>${anchor(to)}</h3><p class="card__text">${sentence(9)}</p></li>`,
  )
  const again = Array.from({ length: links.again }, (_, index) => anchor(inside[index] ?? 0))
  const outside = Array.from(
    { length: links.outside },
    (_, index) => `<a href="https://other-${index}.example/${number}">${word()}</a>`,
  )
  const paragraphs = Array.from(
    { length: 20 },
    (_, index) =>
      `${index % 6 === 0 ? `<h2>${sentence(5)}</h2>` : ''}<p>${sentence(40)} <strong>${word()}</strong> ${again[index] ?? ''} ${sentence(30)}</p>`,
  )
  const state = JSON.stringify({
    number,
    list: inside.map((to) => ({ id: to, title: sentence(5), path: madeUpPath(to) })),
  })
  const css = Array.from(
    { length: 90 },
    (_, index) => `.card--${index}{margin:${index}px auto;color:#${(index * 4099).toString(16).padStart(6, '0')}}`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Article ${number} ${sentence(3)}</title>
<meta name="description" content="${sentence(16)}"><meta property="og:title" content="Article ${number}"><link rel="canonical" href="${madeUpPath(number)}">
<style>${css.join('\n')}</style><script type="application/json" id="state">${state.replaceAll('<', '\\u003c')}</script></head>
<body><header><nav><ul>${again
    .slice(20)
    .map((one) => `<li>${one}</li>`)
    .join('')}</ul></nav></header>
<main><article><h1>Article ${number}</h1>${paragraphs.join('\n')}</article><aside><ul>${items.join('\n')}</ul></aside></main>
<footer><p>${outside.join(' ')}</p></footer></body></html>`
}
