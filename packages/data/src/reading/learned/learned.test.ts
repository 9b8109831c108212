import { describe, expect, test } from 'vitest'

import { learnProgram, runProgram, type LearnedExample } from './page.ts'
import type { LearnedRecord } from './pointers.ts'
import { likeness, pathShape } from './template.ts'
import type { LearnedRead, Program } from './types.ts'

interface Talk {
  readonly title: string
  readonly speaker: string
  readonly day: string
  readonly seats?: number
}

const first: Talk = { title: 'How bread rises', speaker: 'Ada Brandt', day: '14/03/2025', seats: 120 }
const second: Talk = { title: 'Rivers of the north', speaker: 'Jonas Lind', day: '02/04/2025', seats: 45 }

const talkPage = ({ title, speaker, day, seats }: Talk): string => `<title>${title} | Talks</title>
  <nav><a href="/">Home</a><a href="/speakers">Speakers</a></nav><main><h1 class="talk-title">${title}</h1>
  <div class="meta"><span class="label">Speaker:</span> <span class="talk-speaker">${speaker}</span></div>
  <div class="meta"><span class="label">Day:</span> <time class="talk-day">${day}</time></div>
  ${seats === undefined ? '' : `<div class="meta"><span class="label">Seats:</span> <b class="talk-seats">${seats}</b></div>`}
  <p>Doors open half an hour before. There is coffee.</p></main><footer>Talks</footer>`

const answer: LearnedRecord = { title: first.title, speaker: first.speaker, day: '2025-03-14', seats: 120 }

const url = (id: string): string => `https://talks.example/talks/${id}`
const example = (html: string, json: LearnedRecord, id = 'bread'): LearnedExample => ({ html, url: url(id), json })

function learned(...examples: readonly LearnedExample[]): Program {
  const program = learnProgram(examples)
  // What is kept is JSON.
  return JSON.parse(JSON.stringify(program)) as Program
}

const taught = (): Program => learned(example(talkPage(first), answer))
const read = (html: string, program = taught()): LearnedRead => runProgram(html, url('rivers'), program)
const siblings = { title: second.title, speaker: second.speaker, day: '2025-04-02', seats: 45 }

describe('a program of one answered page', () => {
  test('reads its siblings, with the words of the page for each value', () => {
    const { value, doubts, evidence } = read(talkPage(second))
    expect(value).toEqual(siblings)
    expect(doubts).toEqual({})
    expect(evidence['/seats']).toMatchObject({ method: 'learned', quote: '45', selector: expect.any(String) })
  })

  test('knows from a day beyond the twelfth in which order digits of dates stand', () => {
    expect(read(talkPage({ ...second, day: '03/04/2025' })).value['day']).toBe('2025-04-03')
    const ambiguous = learned(example(talkPage({ ...first, day: '04/04/2025' }), { day: '2025-04-04' }))
    expect(read(talkPage({ ...second, day: '05/06/2025' }), ambiguous)).toMatchObject({
      value: {},
      doubts: { '/day': 'disagreement' },
    })
  })

  test('that taught nothing of a value before, is not believed by one page that happens to have its words', () => {
    const withKinds = (talk: Talk): string => talkPage(talk).replace('<p>', '<p class="talk-kinds">Science</p><p>')
    const about = (topic: string) => ({ title: first.title, topic })
    const others = ['Baking', 'Rivers'].map((topic) => example(withKinds(first), about(topic)))
    const once = learned(...others, example(withKinds(first), about('Science')))
    expect(read(withKinds(second), once).doubts).toEqual({ '/topic': 'too little agreement' })
    const fresh = learned(example(withKinds(first), about('Science')))
    expect(read(withKinds(second), fresh).value).toMatchObject({ topic: 'Science' })
  })

  test('finds values again after classes were renamed and wrappers were added', () => {
    const other = talkPage(second)
      .replaceAll(/class="talk-(\w+)"/g, 'class="x-$1"')
      .replace('<main>', '<main><div><section>')
      .replace('</main>', '</section></div></main>')
    expect(read(other).value).toEqual(siblings)
  })

  test('gives no value where the page has several that fit', () => {
    const decoy =
      '<div class="meta"><span class="label">Speaker:</span> <span class="talk-speaker">Eve Moss</span></div>'
    const { value, doubts } = read(talkPage(second).replace('<main>', `<main>${decoy}`))
    expect(value).not.toHaveProperty('speaker')
    expect(doubts).toHaveProperty(['/speaker'])
  })

  test('gives no value that looks like none of those that were answered', () => {
    const { value, doubts } = read(talkPage({ ...second, speaker: 'To be announced: see the page of 3 May' }))
    expect(value).not.toHaveProperty('speaker')
    expect(Object.keys(doubts)).toEqual(['/speaker'])
  })

  test('doubts what it does not find, until a page was answered without it', () => {
    const { seats: _, ...without } = second
    expect(read(talkPage(without)).doubts).toEqual({ '/seats': 'not found' })
    const { seats: __, ...rest } = answer
    const both = learned(
      example(talkPage(first), answer),
      example(talkPage({ ...without, title: 'Stones' }), {
        ...rest,
        title: 'Stones',
        speaker: 'Jonas Lind',
        day: '2025-04-02',
      }),
    )
    expect(read(talkPage(without), both)).toMatchObject({ doubts: {}, absent: ['/seats'] })
    expect(read(talkPage(second), both).value).toEqual(siblings)
  })

  test('learns nothing of values that the page does not show', () => {
    const program = learned(example(talkPage(first), { ...answer, mood: 'hopeful' }))
    expect(program.fields['/mood']?.alternatives).toEqual([])
    expect(read(talkPage(second), program).doubts).toEqual({ '/mood': 'not learned' })
  })

  test('does not take what all pages of the site have around them for a value', () => {
    const program = learned(example('<nav><a class="kind">Talks</a></nav><main><h1>One</h1></main>', { kind: 'Talks' }))
    expect(program.fields['/kind']?.alternatives).toEqual([])
  })

  test('takes nothing that surrounds the main heading for furniture, whatever it is called', () => {
    const page = '<div class="sidebar"><h1>One</h1><p class="by">Ada Lee</p></div>'
    expect(learned(example(page, { author: 'Ada Lee' })).fields['/author']?.alternatives).not.toEqual([])
  })

  test('reads the short row of links beside the heading, where nothing else has the value', () => {
    const page = '<header><nav><a class="topic">Chess</a></nav><h1>One</h1></header>'
    const found = learned(example(page, { topic: 'Chess' })).fields['/topic']?.alternatives
    expect(found?.map(({ selector }) => selector)).toContain('.topic')
  })

  test('takes a number from where it stands alone rather than from a row of such numbers', () => {
    const row = [358, 1110, 509].map((count) => `<td class="count">${count}</td>`).join('')
    const page = `<h1>One</h1><p class="said">358 reviews</p><table><tr>${row}</tr></table>`
    const selectors = learned(example(page, { reviews: 358 })).fields['/reviews']?.alternatives.map(
      (one) => one.selector,
    )
    expect(selectors).toContain('.said')
    expect(selectors?.some((selector) => /count|td/.test(selector ?? ''))).toBe(false)
  })

  test('believes a weak name that was right on each of many pages', () => {
    const page = (title: string): string => `<title>${title}</title><p>Words</p>`
    const titles = ['Rain', 'Stones', 'Rivers', 'Clouds', 'Winds', 'Leaves', 'Roots', 'Moss', 'Birds', 'Bees', 'Ants']
    const one = learned(example(page('Rain'), { title: 'Rain' }))
    expect(read(page('Foxes'), one).value).toEqual({})
    const many = learned(...titles.map((title) => example(page(title), { title })))
    expect(read(page('Foxes'), many).value).toEqual({ title: 'Foxes' })
  })
})

test('a further page drops the alternatives that were wrong about it', () => {
  const page = (title: string, by: string): string =>
    `<h1>${title}</h1><div class="desk">${by}</div><div class="byline"><span class="writer">${by}</span></div>`
  const one = example(page('One', 'Ada Brandt'), { by: 'Ada Brandt' })
  const other = page('Two', 'Jonas Lind').replace('<div class="desk">Jonas Lind', '<div class="desk">Night desk')
  expect(runProgram(other, url('two'), learned(one)).doubts).toEqual({ '/by': 'disagreement' })
  const both = learned(one, example(other, { by: 'Jonas Lind' }, 'two'))
  expect(both.fields['/by']?.alternatives.map(({ selector }) => selector)).not.toContain('.desk')
  expect(runProgram(other, url('three'), both).value).toEqual({ by: 'Jonas Lind' })
})

describe('lists', () => {
  const row = ([name, price]: readonly [string, number]): string =>
    `<li class="offer"><a class="offer-name" href="/${name}">${name}</a> <span class="offer-price">$${price.toFixed(2)}</span></li>`
  const page = (rows: readonly (readonly [string, number])[]): string =>
    `<main><h1>Offers</h1><ul class="offers">${rows.map(row).join('')}</ul></main>`
  const items = (rows: readonly (readonly [string, number])[]) => rows.map(([name, price]) => ({ name, price }))
  const one = [
    ['Spade', 12.5],
    ['Rake', 9.99],
    ['Hoe', 14],
  ] as const
  const other = [
    ['Fork', 20],
    ['Shears', 7.25],
    ['Trowel', 3.5],
    ['Barrow', 89.9],
  ] as const

  test('of objects are read row by row, as many as the page has', () => {
    const program = learned(example(page(one), { items: items(one) }))
    expect(read(page(other), program)).toMatchObject({ value: { items: items(other) }, doubts: {} })
  })

  test('are doubted as a whole when a row has no certain value', () => {
    const program = learned(example(page(one), { items: items(one) }))
    const broken = page(other).replace('$7.25', 'ask us')
    expect(read(broken, program)).toMatchObject({ value: {}, doubts: { '/items': 'not found' } })
  })

  test('of texts are found by what all of them have in common', () => {
    const tags = (names: readonly string[]): string =>
      `<main><h1>A page</h1><p class="tags">${names.map((name) => `<a rel="tag" class="tag">${name}</a>`).join(' ')}</p></main>`
    const program = learned(example(tags(['green', 'calm', 'wide']), { tags: ['green', 'calm', 'wide'] }))
    expect(read(tags(['dark', 'loud']), program).value).toEqual({ tags: ['dark', 'loud'] })
  })
})

test('a name like __proto__ is a field like any other', () => {
  const json = JSON.parse(`{"__proto__": "${first.title}"}`) as LearnedRecord
  const { value } = read(talkPage(second), learned(example(talkPage(first), json)))
  expect(Object.entries(value)).toEqual([['__proto__', second.title]])
})

test('addresses of one template have one shape', () => {
  expect(pathShape('https://a.example/news/2024/05/how-bread-rises?x=1')).toBe('/news/#/#/*')
  expect(pathShape('https://a.example/news/2025/11/rivers-of-the-north')).toBe('/news/#/#/*')
  expect(pathShape('not an address')).toBe('/')
})

test('structures are as alike as the names that they share', () => {
  expect(likeness([1, 2, 3], [1, 2, 3])).toBe(1)
  expect(likeness([1, 2, 3], [4, 5, 6])).toBe(0)
  expect(likeness([1, 2], [2, 3])).toBeCloseTo(0.5, 1)
})

test('a value that stands in navigation alone is not learned, and where it may stand on a sibling is told', () => {
  const withSection = (talk: Talk, section: string): string =>
    talkPage(talk).replace('</nav>', `<b class="section-name">${section}</b></nav>`)
  const program = learned(example(withSection(first, 'Baking'), { ...answer, section: 'Baking' }))
  expect(program.fields['/section']).toMatchObject({ alternatives: [], hints: ['.section-name'] })
  const { value, doubts, around } = read(withSection(second, 'Geography'), program)
  expect(value).toEqual(siblings)
  expect(doubts).toEqual({ '/section': 'not learned' })
  expect(around['/section']).toContain('Geography')
})
