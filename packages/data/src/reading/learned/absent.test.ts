// Pages without a value that their siblings have: it is neither made up nor asked for again and again.
import { expect, test } from 'vitest'

import type { Outcome } from './locate.ts'
import { learnProgram, runProgram } from './page.ts'
import type { LearnedRead, Program } from './types.ts'
import { decide } from './weigh.ts'

interface Story {
  readonly title: string
  readonly author?: string
  readonly place: string
}

const bread = { title: 'How bread rises', author: 'Ada Brandt', place: 'Lisbon' }
const rivers = { title: 'Rivers of the north', author: 'Jonas Lind', place: 'Oslo' }
const stones = { title: 'Stones', place: 'Turin' }
const clouds = { title: 'Clouds over the sea', place: 'Cadiz' }

const byline = (author = ''): string =>
  `<p class="byline"><a class="author-name" rel="author">${author}</a></p><p class="role">Staff writer</p>`

/** What is the same on all pages. */
const parts = 'abcdefghijklmnopqrstuvwxyz'
  .split('')
  .map((part) => `<i class="part-${part}">${part}</i>`)
  .join('')

const page = ({ title, author, place }: Story, around = byline): string =>
  `<main><h1 class="story-title">${title}</h1>${around(author)}<p class="where"><span>Place:</span> <b class="story-place">${place}</b></p>
   <p class="text">It is told at length.</p></main><footer>${parts}</footer>`

const url = (story: Story): string => `https://stories.example/stories/${story.title.length}`

const taught = (...stories: readonly Story[]): Program =>
  learnProgram(stories.map((story) => ({ html: page(story), url: url(story), json: { ...story } })))!

const read = (story: Story, program: Program, html = page(story)): LearnedRead => runProgram(html, url(story), program)

test('an element without words speaks against what stands after it, and one that is gone does not', () => {
  const way = { as: 'text', right: 1, wrong: 0, none: 0 } as const
  const found = { value: 'Staff writer', quote: 'Staff writer', place: 3 }
  const after = { alternative: { ...way, by: 'label', label: 'by', next: 1 }, found } as const
  const named = { ...way, by: 'attribute', selector: '[rel="author"]' } as const
  const { expected } = taught(bread).fields['/author']!
  const verdict = (outcome: Outcome) => decide([after, { alternative: named, found: outcome }], expected)
  expect(verdict('empty')).toEqual({ doubt: 'disagreement' })
  expect(verdict(undefined)).toMatchObject({ found })
})

test('what has spoken on pages without the value says nothing where all others are silent', () => {
  const talkative = { as: 'text', by: 'label', label: 'by', next: 1, right: 3, wrong: 1, none: 0, invented: 1 } as const
  const found = { value: 'Staff writer', quote: 'Staff writer', place: 3 }
  const teller = { as: 'text', by: 'attribute', selector: '[rel="author"]', right: 3, wrong: 0, none: 0 } as const
  const { expected } = taught(bread).fields['/author']!
  const verdict = (silent: number) =>
    decide(
      [
        { alternative: talkative, found },
        { alternative: { ...teller, silent }, found: undefined },
      ],
      expected,
    )
  expect(verdict(1)).toEqual({ doubt: 'not found' })
  expect(verdict(0)).toMatchObject({ found })
})

test('a value whose element has no words is doubted', () => {
  const { value, doubts } = read(stones, taught(bread))
  expect(value).toEqual(stones)
  expect(Object.keys(doubts)).toEqual(['/author'])
})

test('what was said to be absent is known to be absent on the next page, although other words stand in its place', () => {
  const program = taught(bread, stones)
  expect(read(clouds, program)).toMatchObject({ value: clouds, doubts: {}, absent: ['/author'] })
  expect(read(rivers, program)).toMatchObject({ value: rivers, doubts: {} })
})

test('an alternative counts on how many pages without the value it found nothing, and on how many something', () => {
  const { alternatives } = taught(bread, stones).fields['/author']!
  expect(alternatives.find(({ selector }) => selector === '[rel="author"]')).toMatchObject({ silent: 1, wrong: 0 })
  const talkative = taught(bread, rivers, stones).fields['/author']!.alternatives.filter(
    ({ invented = 0 }) => invented > 0,
  )
  for (const one of talkative) expect(one.wrong).toBe(one.invented)
})

test('nothing is said to be absent where the other values are found in fewer ways than before', () => {
  const program = taught(bread, stones)
  const anew = page(rivers, () => '<p></p>')
    .replace('</main>', `<div><em>${rivers.author}</em></div></main>`)
    .replace(' class="story-title"', '')
    .replace(' class="story-place"', '')
    .replace('class="where"', 'class="there"')
  const { value, absent, doubts } = read(rivers, program, anew)
  expect(value).toMatchObject({ title: rivers.title })
  expect(absent).toEqual([])
  expect(doubts).toHaveProperty(['/author'])
})

test('nothing is said to be absent on a page of which half has other names, although other values are where they were', () => {
  const program = taught(bread, stones)
  const renamed = (story: Story): string =>
    page(story, () => '<p></p>')
      .replace('</main>', `<div><em>${story.author}</em></div></main>`)
      .replaceAll(/part-([a-g])/g, 'section-$1')
  const { value, absent, doubts, likeness } = read(rivers, program, renamed(rivers))
  expect(value).toEqual({ title: rivers.title, place: rivers.place })
  expect(likeness).toBeGreaterThan(0.5)
  expect(absent).toEqual([])
  expect(doubts).toEqual({ '/author': 'not found' })
})

test('a program that has learned a page of the site made anew takes its structure for that of the site', () => {
  const anew = (story: Story): string => page(story).replaceAll(/class="([a-z-]+)"/g, 'class="v2-$1"')
  const before = taught(bread, stones)
  expect(read(clouds, before, anew(clouds)).doubts).toHaveProperty(['/author'])
  const examples = [rivers, clouds].map((story) => ({ html: anew(story), url: url(story), json: { ...story } }))
  const after = learnProgram(examples, before)!
  expect(read(stones, after, anew(stones))).toMatchObject({ value: stones, doubts: {}, absent: ['/author'] })
})

test('a value that cannot be found again is doubted, also when a page was answered without it', () => {
  const program = learnProgram([
    { html: page(bread), url: url(bread), json: { ...bread, mood: 'hopeful' } },
    { html: page(rivers), url: url(rivers), json: { ...rivers } },
  ])!
  expect(read({ ...rivers, title: 'Rivers of the south' }, program)).toMatchObject({
    doubts: { '/mood': 'not learned' },
    absent: [],
  })
})
