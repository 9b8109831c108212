import { answerPage, numberOf, type Route, type Visit } from './route.ts'

/** An endless section of the site, with honest pages next to it: a crawl should visit those and abandon the trap. */
export interface TrapPart {
  /** Path where a crawl starts. */
  readonly path: string
  /** Kind of trap that the errors of a crawl should name. */
  readonly kind: 'repeated_segments' | 'calendar' | 'endless_list' | 'query_combinations' | 'near_duplicates'
  /** Maximum number of pages of the trap that a good crawler may visit before it detects it. */
  readonly most: number
}

/** Every trap of the site. Each has three honest pages, `<path>honest/1` to `3`. */
export const trapParts: readonly TrapPart[] = [
  { path: '/traps/calendar/', kind: 'calendar', most: 60 },
  { path: '/traps/list/', kind: 'endless_list', most: 210 },
  { path: '/traps/session/', kind: 'near_duplicates', most: 60 },
  { path: '/traps/nested/', kind: 'repeated_segments', most: 40 },
  { path: '/traps/facets/', kind: 'query_combinations', most: 1_300 },
  { path: '/traps/gone/', kind: 'near_duplicates', most: 120 },
]

const names = 'amber birch cedar dune elm fern grove hazel iris juniper kelp larch maple nettle oak pine'.split(' ')

/** Returns a string of pseudo-random words, deterministic for each seed. */
function chance(seed: number, count: number): string {
  let state = seed * 7919 + 1
  const word = (): string => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return `${names[state % 16]}${names[(state >> 8) % 16]}`
  }
  return Array.from({ length: count }, word).join(' ')
}

function link(path: string, text: string = path): string {
  return `<a href="${path}">${text}</a> `
}

function honestLinks(base: string): string {
  return [1, 2, 3].map((number) => link(`${base}honest/${number}`)).join('')
}

const home = (path: string, about: string, more: string): Route => ({
  path,
  about,
  handle: (visit) =>
    answerPage(visit, about, `<p>${about}: ${chance(path.length, 30)}.</p>${more}${honestLinks(path)}`),
})

function answerMonth(visit: Visit): void {
  const [year, month] = [Number(visit.parts['year']), Number(visit.parts['month'])]
  const next = month === 12 ? `${year + 1}/1` : `${year}/${month + 1}`
  answerPage(
    visit,
    `${year}-${month}`,
    `<p>${chance(year * 12 + month, 40)}</p>${link(`/traps/calendar/events/${next}`, 'next month')}`,
  )
}

function answerList(visit: Visit): void {
  const number = numberOf(visit, 'page', 1)
  answerPage(
    visit,
    `Part ${number}`,
    `<p>${chance(number, 40)}</p>${link(`/traps/list/of?page=${number + 1}`, 'more')}`,
  )
}

function answerSession(visit: Visit): void {
  const id = (): string => (visit.site.count('session') * 2_654_435_761).toString(16).padStart(16, '0').slice(-16)
  const text =
    'Welcome to our house of many doors, where every visitor is given a key of his own and all of them open the same room.'
  answerPage(
    visit,
    'Welcome',
    `<p>${text}</p>${[1, 2, 3].map(() => link(`/traps/session/s/${id()}a/room`, 'a door')).join('')}`,
  )
}

function answerNested(visit: Visit): void {
  answerPage(
    visit,
    'Deeper',
    `<p>${chance(visit.url.pathname.length, 30)}</p>${link('deeper/', 'deeper')}${link('again/deeper/')}`,
  )
}

const switches = 20

function answerFacets(visit: Visit): void {
  const on = new Set(visit.url.searchParams.keys())
  const links = Array.from({ length: switches }, (_, index) => {
    const names = [...on, `s${index}`].filter((name) => !(on.has(name) && name === `s${index}`)).sort()
    return link(`/traps/facets/shop?${names.map((name) => `${name}=1`).join('&')}`)
  })
  answerPage(visit, 'Shop', `<p>${chance(visit.url.search.length + 7 * on.size, 40)}</p>${links.join('')}`)
}

function answerGone(visit: Visit): void {
  const seed = visit.site.count('gone') * 3
  const text =
    'We are sorry, but what you look for is not here any more; perhaps one of these is what you wanted to see instead of it.'
  const links = [0, 1, 2].map((index) => link(`/traps/gone/${chance(seed + index, 2).replaceAll(' ', '-')}`, 'this'))
  answerPage(visit, 'Not here', `<p>${text}</p>${links.join('')}`)
}

const depths = Array.from({ length: 60 }, (_, depth) => `/traps/nested/in/${':a/'.repeat(depth)}`)

export const trapRoutes: readonly Route[] = [
  home('/traps/calendar/', 'a calendar without end', link('/traps/calendar/events/2026/1')),
  { path: '/traps/calendar/events/:year/:month', about: 'a month of it', handle: answerMonth },
  home('/traps/list/', 'a list without end', link('/traps/list/of?page=1')),
  { path: '/traps/list/of', about: 'a part of it', handle: answerList },
  home('/traps/session/', 'a house where each link has a new session', link('/traps/session/s/00a1b2c3d4e5f6a7/room')),
  { path: '/traps/session/s/:id/room', about: 'its only room', handle: answerSession },
  home('/traps/nested/', 'links that lead deeper into themselves', link('/traps/nested/in/')),
  ...depths.map((path) => ({ path, about: 'a folder in a folder', handle: answerNested })),
  home('/traps/facets/', 'a shop of twenty switches', link('/traps/facets/shop')),
  { path: '/traps/facets/shop', about: 'its one page', handle: answerFacets },
  home('/traps/gone/', 'pages that are not there and say so with status 200', link('/traps/gone/oak-pine')),
  { path: '/traps/gone/:name', about: 'one of them, with links to more', handle: answerGone },
  ...trapParts.map(({ path }) => ({
    path: `${path}honest/:number`,
    about: 'an honest page',
    handle: (visit: Visit) =>
      answerPage(visit, 'Honest', `<p>${chance(1000 + path.length + Number(visit.parts['number']), 40)}</p>`),
  })),
]
