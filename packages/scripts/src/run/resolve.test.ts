import { expect, test } from 'vitest'

import { seen } from '../page/seen.fake.ts'
import type { SeenElement } from '../page/seen.ts'
import type { Target } from '../script/schema.ts'
import { filledTarget } from '../script/template.ts'
import { resolve } from './resolve.ts'

const target = (given: Partial<Target> = {}): Target => ({ role: 'button', name: 'Send', attributes: {}, ...given })
const find = (wanted: Target, elements: readonly SeenElement[], values = {}) =>
  resolve(wanted, filledTarget(wanted, values), elements)

test('the only element with the role and name is taken, whatever else of it has changed', () => {
  const moved = seen({ attributes: { id: 'x9', class: 'k2' }, path: 'div/span/button' })
  const wanted = target({ attributes: { id: 'send', class: 'go' }, path: 'form/button' })
  expect(find(wanted, [seen({ name: 'Help' }), moved])).toEqual({ kind: 'found', index: 1 })
})

test('of several with the role and name the one that the rest favours is taken, and none where nothing does', () => {
  const two = [seen({ before: 'Billing', path: 'p:1/button' }), seen({ before: 'Delivery', path: 'p:2/button' })]
  expect(find(target({ before: 'Delivery' }), two)).toEqual({ kind: 'found', index: 1 })
  expect(find(target(), two)).toEqual({ kind: 'several', indexes: [0, 1] })
})

test('the place of an element says nothing when its row is another one', () => {
  const rows = [seen({ row: ['Rug'], path: 'li:1/button' }), seen({ row: ['Pen'], path: 'li:2/button' })]
  expect(find(target({ row: ['Pen'], path: 'li:1/button' }), rows)).toEqual({ kind: 'found', index: 1 })
})

test('a field that has changed its place is found by its label, also by one with a colon or a word more', () => {
  const fields = ['Movie Genre', 'Director:', 'Year'].map((before, index) =>
    seen({ role: 'textbox', name: '', before, path: `div:${index + 1}/input`, attributes: { type: 'text' } }),
  )
  const field = (before: string, path: string) =>
    find(target({ role: 'textbox', name: '', before, path, attributes: { type: 'text' } }), fields)
  expect(field('Genre', 'div:2/input')).toEqual({ kind: 'found', index: 0 })
  expect(field('Director', 'div:3/input')).toEqual({ kind: 'found', index: 1 })
  expect(
    find(target({ role: 'textbox', name: '', before: 'Name' }), [
      seen({ role: 'textbox', name: '', before: 'First name' }),
      seen({ role: 'textbox', name: '', before: 'Last name' }),
    ]).kind,
  ).toBe('several')
})

test('of a field of one line and one of several, each is the only one of its tag', () => {
  const fields = [
    seen({ role: 'textbox', name: '', path: 'p/textarea' }),
    seen({ role: 'textbox', name: '', path: 'p/input:1' }),
  ]
  const wanted = target({ role: 'textbox', name: '', path: 'div/form/input', place: { index: 1, of: 2 } })
  expect(find(wanted, fields)).toEqual({ kind: 'found', index: 1 })
  expect(find(wanted, [...fields, fields[1]!]).kind).toBe('several')
})

test('an element that has lost its id to another one is not taken for it', () => {
  const swapped = [seen({ attributes: { id: 'old' } }), seen({ name: 'Order', attributes: { id: 'send' } })]
  const wanted = target({ attributes: { id: 'send' } })
  expect(find(wanted, swapped)).toEqual({ kind: 'several', indexes: [0, 1] })
})

test('a nameless element that was one of several needs more than its role', () => {
  const wanted = target({ name: '', place: { index: 0, of: 2 } })
  expect(find(wanted, [seen({ name: '' })]).kind).toBe('several')
  expect(find({ ...wanted, place: { index: 0, of: 1 } }, [seen({ name: '' })]).kind).toBe('found')
})

test('where the name is gone, exactly one that agrees in enough other ways is a repair', () => {
  const wanted = target({ attributes: { id: 'send', 'data-testid': 'send' } })
  const renamed = seen({ name: 'Order', attributes: { id: 'send', 'data-testid': 'send' } })
  expect(find(wanted, [seen({ name: 'Help' }), renamed])).toEqual({
    kind: 'other',
    index: 1,
    changes: ['name "Send" is now "Order"'],
  })
  expect(find(wanted, [renamed, renamed]).kind).toBe('several')
  expect(find(wanted, [{ ...renamed, attributes: { 'data-testid': 'send' } }]).kind).toBe('none')
  const placed = target({ attributes: { id: 'send' }, path: 'form/button' })
  expect(find(placed, [seen({ name: 'Order', attributes: { id: 'send' } })]).kind).toBe('other')
})

test('a class and the place are not enough for a repair, and neither is an element of another kind', () => {
  const wanted = target({ attributes: { class: 'go' }, path: 'form/button' })
  expect(find(wanted, [seen({ name: 'Delete', attributes: { class: 'go' } })]).kind).toBe('none')
  const field = seen({ role: 'textbox', name: 'Other', attributes: { id: 'send', name: 'send' } })
  expect(find(target({ attributes: { id: 'send', name: 'send' } }), [field]).kind).toBe('none')
})

test('the only button of a form, then and now, is found by that and its place when it is called otherwise', () => {
  const wanted = target({ alone: 'form', path: 'form/button' })
  const field = seen({ role: 'textbox', name: 'City', alone: 'form' })
  const renamed = seen({ name: 'Order', alone: 'form' })
  expect(find(wanted, [field, renamed])).toEqual({
    kind: 'other',
    index: 1,
    changes: ['name "Send" is now "Order"'],
  })
  expect(find(wanted, [field, seen({ name: 'Order', alone: 'form', path: 'p/button' })]).kind).toBe('none')
})

test('where the form has two buttons now, or had them then, none of them is taken for one that is gone', () => {
  const wanted = target({ alone: 'form', path: 'form/button' })
  const two = [seen({ name: 'Order' }), seen({ name: 'Delete', path: 'form/button:2' })]
  expect(find(wanted, two).kind).toBe('none')
  expect(find(target({ path: 'form/button' }), [seen({ name: 'Order', alone: 'form' })]).kind).toBe('none')
  expect(find(wanted, [seen({ name: 'Order', alone: 'dialog' })]).kind).toBe('none')
})

test('a parameter in the target must be there to the letter, and is never repaired', () => {
  const wanted = target({ name: '{{city}}', attributes: { id: 'city', 'data-testid': 'city' } })
  const near = seen({ name: 'Oslo S', attributes: { id: 'city', 'data-testid': 'city' } })
  expect(find(wanted, [near, seen({ name: 'Oslo' })], { city: 'Oslo' })).toEqual({ kind: 'found', index: 1 })
  expect(find(wanted, [near], { city: 'Oslo' }).kind).toBe('none')
})

test('a parameter in the row tells apart what has the same name', () => {
  const wanted = target({ name: 'Buy', row: ['{{item}}'] })
  const goods = ['Pen', 'Hat'].map((item) => seen({ name: 'Buy', row: [item, '9 €'] }))
  expect(find(wanted, goods, { item: 'Hat' })).toEqual({ kind: 'found', index: 1 })
  expect(find(wanted, [...goods, ...goods], { item: 'Hat' })).toEqual({ kind: 'several', indexes: [1, 3] })
  expect(find(wanted, goods, { item: 'Cup' }).kind).toBe('none')
})
