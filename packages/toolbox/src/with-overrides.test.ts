import { expect, test } from 'vitest'

import { withOverrides } from './with-overrides.ts'

class Base {
  #count = 0
  readonly name = 'base'
  get count(): number {
    return this.#count
  }
  add(): number {
    this.#count += 1
    return this.#count
  }
  kind(): string {
    return 'base'
  }
}

class Counter extends Base {
  override kind(): string {
    return 'counter'
  }
  describe(): string {
    return `${this.kind()} ${this.count}`
  }
}

test('an instance of a class keeps its inherited methods, fields and getters', () => {
  const wrapper = withOverrides(new Counter(), {})
  const { add } = wrapper
  expect([add(), wrapper.add(), wrapper.count, wrapper.name, wrapper.kind()]).toEqual([1, 2, 2, 'base', 'counter'])
})

test('overrides replace methods of the wrapper, and not of the instance', () => {
  const counter = new Counter()
  const wrapper = withOverrides(counter, { kind: () => 'own' })
  expect([wrapper.kind(), counter.kind(), wrapper.describe()]).toEqual(['own', 'counter', 'counter 0'])
})

test('a plain object is wrapped like a spread of it', () => {
  const plain = Object.freeze({ one: 1, two: () => 2, three: undefined })
  const { two, ...rest } = withOverrides<{ one: number; two: () => number; three: undefined }>(plain, { one: 4 })
  expect(two()).toBe(2)
  expect(rest).toEqual({ one: 4, three: undefined })
})

test('methods of a proxy are those that its handler returns', () => {
  const proxy = new Proxy(new Counter(), {
    get: (target, name) => (name === 'kind' ? () => 'proxied' : (Reflect.get(target, name) as unknown)),
  })
  expect(withOverrides(proxy, {}).kind()).toBe('proxied')
})
