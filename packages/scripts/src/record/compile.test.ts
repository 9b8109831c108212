import { expect, test } from 'vitest'

import { digest, seen } from '../page/seen.fake.ts'
import type { Act } from './acts.ts'
import { compile } from './compile.ts'

const start = 'https://shop.test/order?for=Ann'
const place = { index: 0, of: 1 }
const act = (given: Partial<Act> & Pick<Act, 'type'>): Act => ({ id: '1', page: digest(), next: digest(), ...given })
const field = { ...seen({ role: 'textbox', name: 'Name', path: 'form/input' }), place }
const button = { ...seen(), place }
const fill = act({ type: 'fill', target: field, value: 'Ann' })

test('values that vary become parameters in the start, in what is typed and in what must hold then', () => {
  const done = digest({ signs: ['Thanks, Ann'] })
  const script = compile({ start, acts: [fill, act({ type: 'click', target: button, next: done })] }, { name: 'Ann' })
  expect(script).toMatchObject({
    start: 'https://shop.test/order?for={{name}}',
    hosts: ['shop.test'],
    parameters: { name: { type: 'text' } },
    steps: [
      { action: 'fill', value: '{{name}}', expects: { state: { value: '{{name}}' } } },
      { action: 'click', target: { name: 'Send' }, expects: { shows: ['Thanks, {{name}}'] } },
    ],
  })
})

test('a part of a word is not the parameter', () => {
  const [step] = compile({ start, acts: [{ ...fill, value: 'Anna and Ann' }] }, { name: 'Ann' }).steps
  expect(step?.value).toBe('Anna and {{name}}')
})

test('the click that leads to a field is not a step of its own', () => {
  const { steps } = compile({ start, acts: [act({ type: 'click', target: field }), fill] }, {})
  expect(steps.map(({ action }) => action)).toEqual(['fill'])
})

test('a password becomes a secret of the origin where it was typed', () => {
  const target = { ...seen({ role: 'textbox', name: 'PIN code' }), place }
  const secret = act({ type: 'fill', target, isSecret: true, origin: 'https://shop.test' })
  const { parameters, steps } = compile({ start, acts: [secret] }, {})
  expect(parameters).toEqual({ 'pin-code': { type: 'text', secret: true, origin: 'https://shop.test' } })
  expect(steps[0]).toMatchObject({ value: '{{pin-code}}', expects: { state: { filled: true } } })
})

test('a parameter that is to be a secret stands only where a step gives it', () => {
  const next = digest({ signs: ['Step 1 of 3'] })
  const { steps } = compile({ start, acts: [{ ...fill, value: '1', next }] }, { pin: '1' }, ['pin'])
  expect(steps[0]).toMatchObject({ value: '{{pin}}', expects: { state: { value: '{{pin}}' }, shows: ['Step 1 of 3'] } })
})

test('an address that was led to must be reached again, but for the long numbers in it', () => {
  const next = digest({ url: 'https://shop.test/orders/48213?s=1' })
  const [step] = compile({ start, acts: [act({ type: 'click', target: button, next })] }, {}).steps
  expect(step?.expects.address).toBe('https://shop.test/orders/#')
})

test('the last step waits for a text that is new, where nothing else says that it is done', () => {
  const next = digest({ texts: ['Shop', '17', 'Saved'] })
  const page = digest({ texts: ['Shop'] })
  const { steps } = compile({ start, acts: [act({ type: 'click', target: button, page, next })] }, {})
  expect(steps[0]?.expects).toEqual({ shows: ['Saved'] })
})

test('a script of nothing is refused', () => {
  expect(() => compile({ start, acts: [] }, {})).toThrow('No action was recorded yet')
})

const tick = (name: string, texts: readonly string[] = []): Act =>
  act({
    type: 'click',
    target: { ...seen({ role: 'checkbox', name, path: `p/${name}` }), place },
    page: digest({ texts: [...texts] }),
  })

test('what was done for each item of a list is done for each of another one', () => {
  const acts = [tick('Pen'), tick('Hat'), act({ type: 'click', target: button })]
  const { steps, parameters } = compile({ start, acts }, { goods: ['Pen', 'Hat'] })
  expect(parameters).toEqual({ goods: { type: 'list' } })
  expect(steps).toMatchObject([
    { action: 'click', each: 'goods', target: { role: 'checkbox', name: '{{goods}}' } },
    { action: 'click', target: { name: 'Send' } },
  ])
  expect(JSON.stringify(steps)).not.toMatch(/Pen|Hat/)
})

test('several steps for each item are a block, and items in another order are no list', () => {
  const add = act({ type: 'click', target: { ...seen({ name: 'Add' }), place } })
  const acts = [tick('Pen'), add, tick('Hat'), add]
  const [first] = compile({ start, acts }, { goods: ['Pen', 'Hat'] }).steps
  expect(first).toMatchObject({ each: 'goods', block: 2 })
  expect(compile({ start, acts }, { goods: ['Hat', 'Pen'] }).steps).toHaveLength(4)
})

const leaf = (name: string, from: string, to: string): Act => {
  const at = (month: string) => digest({ texts: [month, 'Next', 'Order'] })
  return act({ type: 'click', target: { ...seen({ name }), place }, page: at(from), next: at(to) })
}

test('a button that was pressed until the page showed a parameter is pressed until it does', () => {
  const acts = [leaf('Order', 'May', 'June'), leaf('Order', 'June', 'July')]
  const { steps } = compile({ start, acts }, { month: 'July' })
  expect(steps).toMatchObject([{ action: 'click', until: '{{month}}', expects: {} }])
})

test('one press is enough where the button leafs, and is a step of its own where it does not', () => {
  const once = (name: string) => compile({ start, acts: [leaf(name, 'May', 'June')] }, { month: 'June' }).steps
  expect(once('Next')).toMatchObject([{ until: '{{month}}' }])
  expect(once('Order')).toMatchObject([{ expects: { shows: ['{{month}}'] } }])
})

const open = (name: string, tab: string): Act =>
  act({ type: 'click', id: tab, target: { ...seen({ role: 'link', name, path: `p/${name}` }), place }, opens: [tab] })
const inTab = (tab: string, path: string): Act =>
  act({
    type: 'click',
    tab,
    target: { ...seen({ name: 'Keep' }), place },
    page: digest({ url: `https://shop.test${path}` }),
  })

test('a step names the tab that it acts in as the step does that has opened it', () => {
  const acts = [open('Receipt', 'T2'), inTab('T2', '/receipts/1234'), act({ type: 'click', target: button })]
  const { steps } = compile({ start, acts }, {})
  expect(steps.map(({ tab }) => tab)).toEqual([undefined, 'tab-1', undefined])
  expect(steps[0]?.expects.opens).toEqual([{ tab: 'tab-1', address: 'https://shop.test/receipts/#' }])
})

test('a tab that nothing was done in is a postcondition while it is open, and left out when it was closed', () => {
  const stepOf = (shown: Record<string, string>) =>
    compile({ start, acts: [open('Receipt', 'T2')], urls: new Map(Object.entries(shown)) }, {}).steps[0]
  const opens = [{ tab: 'tab-1', address: 'https://pay.test/a' }]
  expect(stepOf({ T2: 'https://pay.test/a?b=1' })?.expects).toEqual({ opens })
  expect(stepOf({})?.expects).toEqual({})
})

test('what was done in a tab that no step has opened is refused', () => {
  expect(() => compile({ start, acts: [inTab('T9', '/')] }, {})).toThrow('no recorded step has opened')
})

test('tabs that are opened and closed for each item of a list are one tab of the steps that are repeated', () => {
  const turn = (item: string, tab: string) => [open(item, tab), { ...inTab(tab, `/goods/${item}`), closes: [tab] }]
  const acts = [...turn('Pen', 'T2'), ...turn('Hat', 'T3')]
  expect(compile({ start, acts }, { goods: ['Pen', 'Hat'] }).steps).toMatchObject([
    { each: 'goods', block: 2, expects: { opens: [{ tab: 'tab-1', address: 'https://shop.test/goods/{{goods}}' }] } },
    { tab: 'tab-1', target: { name: 'Keep' }, expects: { closes: ['tab-1'] } },
  ])
  // Afterwards it would be a guess which one is meant.
  expect(compile({ start, acts: [...acts, inTab('T3', '/goods/Hat')] }, { goods: ['Pen', 'Hat'] }).steps).toHaveLength(
    5,
  )
})

test('a secret of a task keeps its name and its origin, and no other one has that name', () => {
  const field = { ...seen({ role: 'textbox', name: 'Login' }), place }
  const own = act({ type: 'fill', target: field, isSecret: true, secret: 'login', origin: 'https://shop.test' })
  const other = act({ type: 'fill', id: '2', target: field, isSecret: true, origin: 'https://pay.test' })
  const { parameters, steps } = compile({ start, acts: [other, own] }, {})
  expect(parameters).toMatchObject({
    login: { origin: 'https://shop.test' },
    'login-2': { origin: 'https://pay.test' },
  })
  expect(steps.map(({ value }) => value)).toEqual(['{{login-2}}', '{{login}}'])
})
