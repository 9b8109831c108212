import { expect, test } from 'vitest'

import { extractData, fillSchema } from '../../index.ts'

const text = { type: 'string' }
const schema = {
  type: 'object',
  properties: {
    author: text,
    date: { type: 'string', format: 'date' },
  },
}

function read(body: string, { url = 'https://news.example/lamp', lang = 'en' } = {}) {
  const html = `<html lang="${lang}"><head><title>Lamp</title></head><body>${body}</body></html>`
  return fillSchema(schema, extractData(html, { url }))
}

test.each(['backface-visibility: hidden', '--menu-display: none'])(
  'an author with the style %s is visible',
  (style) => {
    const line = `<div style="${style}"><p class="author">Ada Lovelace</p></div>`
    expect(read(`<h1>On lamps</h1>${line}`).value).toMatchObject({ author: 'Ada Lovelace' })
  },
)

test('a line near the heading names the author and the day', () => {
  const { value } = read('<h1>On lamps</h1><p class="byline">By Ada Lovelace</p><p class="date">May 3, 2024</p>')
  expect(value).toEqual({ author: 'Ada Lovelace', date: '2024-05-03' })
})

test('a comment names neither the author nor the day', () => {
  const comment = '<div class="comments"><span class="author">Bob Hill</span><time>May 3, 2024</time></div>'
  expect(read(`<h1>On lamps</h1>${'<p>words</p>'.repeat(300)}${comment}`).value).toBeUndefined()
})

test('digits that can be read as two days are read in the order of the language, or not at all', () => {
  const body = '<h1>Lampen</h1><p class="date">03/05/2024</p>'
  expect(read(body, { lang: 'de' }).value).toEqual({ date: '2024-05-03' })
  expect(read(body, { lang: 'en-US' }).value).toEqual({ date: '2024-03-05' })
  expect(read(body).value).toBeUndefined()
})

test('without a line the address tells the day', () => {
  const { value, evidence } = read('<h1>On lamps</h1>', { url: 'https://news.example/2024/05/03/lamps' })
  expect(value).toEqual({ date: '2024-05-03' })
  expect(evidence['/date']?.confidence).toBe(0.7)
})

const words = '<p>words</p>'.repeat(20)

test.each([
  ['a day of the week', '<p class="byline">Ada Lovelace Friday, May 3, 2024</p>'],
  ['their profession', '<p class="byline">By Ada Lovelace Senior Tech Reporter</p>'],
  ['their degrees', '<p class="author">Ada Lovelace MD, FRS</p>'],
  ['a section that surrounds the heading too', '<p class="author">Ada Lovelace</p>', 'sidebar-layout'],
])('the name of an author ends before %s', (_, body, around = '') => {
  expect(read(`<div class="${around}"><h1>On lamps</h1>${body}</div>`).value).toMatchObject({ author: 'Ada Lovelace' })
})

test('a link to the page of a person, and a name with a day behind it, name the author', () => {
  const link = '<h1>On lamps</h1><a href="/people/ada">Ada Lovelace</a>'
  expect(read(link).value).toEqual({ author: 'Ada Lovelace' })
  expect(read('<h1>On lamps</h1><p>Ada Lovelace · May 3, 2024</p>').value).toMatchObject({ author: 'Ada Lovelace' })
  expect(read('<h1>On lamps</h1><p>Lamp News</p>').value).toBeUndefined()
})

test('the first post of a thread names who began it', () => {
  const post = (name: string) => `<div class="post"><a class="username">${name}</a><p>words</p></div>`
  expect(read(`<h1>On lamps</h1>${post('ada_1815')}${post('bob')}`).value).toEqual({ author: 'ada_1815' })
})

test('a line below the heading that is a day, or says how long the text takes to read, has the day', () => {
  expect(read(`<h1>On lamps</h1><p>Friday, May 3, 2024</p>${words}`).value).toEqual({ date: '2024-05-03' })
  expect(read(`<h1>On lamps</h1><p>May 3, 2024 // 8 min read</p>${words}`).value).toEqual({ date: '2024-05-03' })
})

test('the day of a change is not that of the publication, and the day in the heading is what the text is about', () => {
  expect(read('<h1>On lamps</h1><p class="date">Updated on May 3, 2024</p>').value).toBeUndefined()
  expect(read('<h1>The storm of May 3, 2024</h1><p>words</p>').value).toBeUndefined()
  const both = '<time class="stamp" datetime="2024-06-01">Posted: May 3, 2024 | Last updated: June 1</time>'
  expect(read(`<h1>On lamps</h1>${both}`).value).toEqual({ date: '2024-05-03' })
})
