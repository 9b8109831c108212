import { expect, test } from 'vitest'

import { scriptSchema, type Script } from './schema.ts'
import { hiderOf, secretOf, withSecrets } from './secrets.ts'

const pay = (more: object = {}, start = 'https://shop.test/pay/1'): Script =>
  scriptSchema.parse({
    ...{ version: 1, start, hosts: ['shop.test'], parameters: { card: { type: 'text' } } },
    steps: [
      {
        action: 'fill',
        target: { role: 'textbox', name: 'Card', attributes: { id: 'f1' } },
        value: '{{card}}',
        expects: { state: { value: '{{card}}' }, shows: ['Paid with {{card}}'] },
      },
      { action: 'click', target: { role: 'button', name: 'Pay', attributes: {}, ...more } },
    ],
  })

test('a parameter is a secret of the origin where the script begins', () => {
  const { parameters, steps } = withSecrets(pay(), { card: '4111 1111' }, ['card'])
  expect(parameters).toEqual({ card: { type: 'text', secret: true, origin: 'https://shop.test' } })
  expect(steps.map((step) => secretOf({ parameters }, step))).toEqual(['card', undefined])
})

test('the origin of a secret is of the recorded site although the start has a placeholder in its host', () => {
  const script = pay({}, 'https://{{site}}.test/pay/1')
  const site = { type: 'text' as const, secret: false }
  const made = withSecrets(
    { ...script, parameters: { ...script.parameters, site } },
    { site: 'shop', card: '4111-22' },
    ['card'],
  )
  expect(made.parameters['card']?.origin).toBe('https://shop.test')
})

test('a short secret is not refused for standing in other words and numbers', () => {
  expect(withSecrets(pay({ before: 'Step 1 of 3', row: ['a1'] }), { card: '1' }, ['card'])).toBeDefined()
})

test.each([
  ['in the name of an element', pay({ name: 'Pay with 4111-22' })],
  ['in an attribute', pay({ attributes: { 'data-card': 'x4111-22x' } })],
  ['in the address', pay({}, 'https://shop.test/pay/4111-22')],
])('a secret that stands %s is refused', (_where, script) => {
  expect(() => withSecrets(script, { card: '4111-22' }, ['card'])).toThrow('"card" is in other places')
})

test('what a page repeats of a secret is no way to find an element, and nothing to wait for', () => {
  const script = pay({ before: 'Card 4111-22', after: 'Help', row: ['4111-22', 'Total'] })
  script.steps[1]!.expects = { shows: ['Paid with 4111-22'], address: 'https://shop.test/done' }
  const [, made] = withSecrets(script, { card: '4111-22' }, ['card']).steps
  expect(made?.target).toMatchObject({ after: 'Help', row: ['Total'], before: undefined })
  expect(made?.expects).toEqual({ address: 'https://shop.test/done' })
})

test('a secret that is no parameter is refused', () => {
  expect(() => withSecrets(pay(), { card: '4111' }, ['pin'])).toThrow('"pin" of "secrets"')
})

test('what the page shows is told without secrets, also inside of words and addresses', () => {
  const hide = hiderOf(withSecrets(pay(), { card: '41 11' }, ['card']), { card: '41 11' })
  expect(hide('paid:41 11!')).toBe('paid:{{card}}!')
  expect(hide('https://shop.test/?c=41%2011')).toBe('https://shop.test/?c={{card}}')
})

test('a short secret is hidden where it is the whole text, and leaves other texts as they are', () => {
  const script = withSecrets(pay({}, 'https://shop.test/pay'), { card: 'a' }, ['card'])
  const hide = hiderOf(script, { card: 'a' })
  expect([hide(' a '), hide('a card was taken'), hide('')]).toEqual(['{{card}}', 'a card was taken', ''])
})
