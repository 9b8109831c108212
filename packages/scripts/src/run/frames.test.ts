import { expect, test } from 'vitest'

import { seen } from '../page/seen.fake.ts'
import type { SeenElement } from '../page/seen.ts'
import type { Target } from '../script/schema.ts'
import { resolve } from './resolve.ts'

type Frame = SeenElement['frame']

/** What a button of a frame is resolved to, among those of the same name in the page and in frames. */
function find(frame: Frame | undefined, ...frames: readonly Frame[]) {
  const target: Target = { role: 'button', name: 'Send', attributes: {}, path: 'iframe/form/button' }
  const elements = [{}, ...frames].map((one) => seen({ frame: one, path: 'iframe/form/button' }))
  const wanted = frame ? { ...target, frame } : target
  return resolve(wanted, wanted, elements)
}

const pay = { name: 'pay', address: '/pay', path: 'iframe:1' }
const help = { name: 'help', address: '/help', path: 'iframe:2' }

test('an element is looked for in the frame that it was in, and one of the page in the page alone', () => {
  expect(find(undefined, pay, help)).toEqual({ kind: 'found', index: 0 })
  expect(find(pay, help, pay)).toEqual({ kind: 'found', index: 2 })
  expect(find(pay).kind).toBe('none')
})

test('a frame is found by its name also when it stands elsewhere and shows another page', () => {
  expect(find(pay, { ...help, path: 'iframe:1' }, { ...pay, address: '/new', path: 'iframe:2' })).toMatchObject({
    index: 2,
  })
})

test('a frame that is named otherwise is found by an address that no other frame has, and not by where it stands', () => {
  expect(find(pay, { ...pay, name: 'x1' }, help)).toEqual({ kind: 'found', index: 1 })
  expect(find(pay, { ...pay, name: 'x1' }, { ...help, address: '/pay' })).toEqual({ kind: 'several', indexes: [1, 2] })
  expect(find(pay, { name: 'x1', address: '/other', path: 'iframe:1' }).kind).toBe('none')
})

test('frames that are alike are told apart by nothing', () => {
  const twins = [
    { title: 'Form', path: 'p:1/iframe' },
    { title: 'Form', path: 'p:2/iframe' },
  ] as const
  expect(find({ title: 'Form', path: 'p:3/iframe' }, ...twins)).toEqual({ kind: 'several', indexes: [1, 2] })
})
