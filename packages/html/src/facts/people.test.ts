import { expect, test } from 'vitest'
import { inOrder, peopleIn } from './people.ts'

test.each<[string, string[]]>([
  ['By JOHN SMITH, Reporter', ['John Smith']],
  ['John Smith and Jane Doe', ['John Smith', 'Jane Doe']],
  ['JOHN SMITH | AP', ['John Smith']],
  ['Ann Lee, Bob Ray, and Cy Fox', ['Ann Lee', 'Bob Ray', 'Cy Fox']],
  ['Ann Lee, Chief Technology Officer and Head of Labs', ['Ann Lee']],
  ['Ann Lee Senior Staff Writer', ['Ann Lee']],
  ['Ann Lee ann@site.test', ['Ann Lee']],
  ['Ann Lee, Ph.D.', ['Ann Lee, Ph.D.']],
  ['Ann Lee for The Courier', ['Ann Lee']],
  ['Ann Lee; ann lee', ['Ann Lee']],
  ['Von Max Muster und Erika Probe', ['Max Muster', 'Erika Probe']],
  ['Par Élodie Petit', ['Élodie Petit']],
  ['Por José Núñez y Ana Ruiz', ['José Núñez', 'Ana Ruiz']],
  ['Автор: Иван Петров', ['Иван Петров']],
  ['作者：王小明', ['王小明']],
  ['بقلم: أحمد علي', ['أحمد علي']],
])('%s names %j', (text, names) => {
  expect(peopleIn(text)).toEqual(names)
})

test.each([
  ...['admin', 'Staff', 'Staff Writer', 'Redaktion', 'The Editors', 'view all posts', '', '42'],
  ...['https://www.facebook.com/ann.lee', 'facebook.com/annlee', 'ann@site.test', '@annlee', ', Staff Reporter'],
])('%s names nobody', (text) => {
  expect(peopleIn(text)).toEqual([])
})

test.each([
  ['Doe, Jane', 'Jane Doe'],
  ['Jane Doe', 'Jane Doe'],
  ['Jane Doe, Ph.D.', 'Jane Doe, Ph.D.'],
])('the catalogue name %s is %s', (text, name) => {
  expect(inOrder(text)).toBe(name)
})
