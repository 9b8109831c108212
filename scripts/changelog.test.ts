import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { sectionOf } from './changelog.ts'

const told = 'It brings one thing, and then another. '.repeat(5).trim()

test('The section of a version ends where the next begins', () => {
  const text = `# Changelog\n\n## 0.2.0\n\n${told} New.\n\n## 0.1.0\n\n${told} Old.\n`
  expect(sectionOf(text, '0.2.0')).toBe(`${told} New.`)
  expect(sectionOf(text, '0.1.0')).toBe(`${told} Old.`)
})

test('A release without a section, or with an empty one, is refused and told what to write', () => {
  expect(() => sectionOf(`## 0.1.0\n\n${told}`, '0.2.0')).toThrow('no section "## 0.2.0"')
  expect(() => sectionOf(`## 0.2.0-rc.1\n\n${told}`, '0.2.0')).toThrow('no section')
  expect(() => sectionOf('## 0.2.0\n\nSoon.\n', '0.2.0')).toThrow('too little')
})

test('The next version has its section', () => {
  const page = readFileSync(new URL('../docs/changelog.md', import.meta.url), 'utf8')
  expect(sectionOf(page, '0.1.0')).toContain('The first version')
})
