import { goodPages } from './good-pages.ts'
import { answer, answerPage, escape, type Route } from './route.ts'

const pages: readonly Route[] = goodPages.map(({ path, type, body, title }) => ({
  path,
  about: title === undefined ? `a file: ${type}` : `a good page: ${title}`,
  handle: (visit) => answer(visit, type, body),
}))

// Link targets of the good pages.
const others: readonly Route[] = [
  { path: '/good/article/two', about: 'the second part', title: 'How harvestmen rest' },
  { path: '/good/terms', about: 'the terms', title: 'Terms' },
].map(({ path, about, title }) => ({ path, about, handle: (visit) => answerPage(visit, title, '<p>They rest.</p>') }))

const things: Route = {
  path: '/good/thing/:name',
  about: 'a thing of the listing',
  handle: (visit) => answerPage(visit, escape(visit.parts['name'] ?? ''), '<p>Found.</p>'),
}

export const goodRoutes: readonly Route[] = [...pages, ...others, things]
