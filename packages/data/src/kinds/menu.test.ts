import { createEngine } from '@harvestman/core'
import type { Fetcher } from '@harvestman/ports'
import { afterAll, describe, expect, test } from 'vitest'

import { data } from '../plugin.ts'

let html = ''
const fetcher = (): Fetcher => ({
  exchange: async () => ({
    status: 200,
    headers: [['content-type', 'text/html']],
    body: new TextEncoder().encode(html),
  }),
  close: async () => undefined,
})
const engine = createEngine({ fetcher, plugins: [data()] })
afterAll(() => engine.close())
const url = 'https://chez.test/menu'

async function read(page: string) {
  html = page
  return engine.scrape({ url, maxAge: 0, formats: ['menu'] })
}

const soup = {
  '@type': 'MenuItem',
  name: 'Soup',
  description: 'Hot.',
  suitableForDiet: 'https://schema.org/VeganDiet',
  nutrition: { '@type': 'NutritionInformation', calories: '170 calories' },
  offers: { '@type': 'Offer', price: '5.5', priceCurrency: 'EUR' },
}

describe('A menu', () => {
  test('is read from the markup of the page, in the shape of the public API', async () => {
    const place = {
      '@context': 'https://schema.org',
      '@type': 'Restaurant',
      name: 'Chez Test',
      hasMenu: { '@type': 'Menu', hasMenuSection: [{ '@type': 'MenuSection', name: 'Starters', hasMenuItem: [soup] }] },
    }
    const { menu } = await read(
      `<title>Chez</title><script type="application/ld+json">${JSON.stringify(place)}</script>`,
    )
    expect(menu).toEqual({
      isMenu: true,
      confidence: 0.95,
      merchant: { name: 'Chez Test', type: 'Restaurant' },
      currency: 'EUR',
      sourceUrl: url,
      sections: [
        {
          id: 'starters',
          name: 'Starters',
          items: [
            {
              id: 'soup',
              name: 'Soup',
              description: 'Hot.',
              images: [],
              price: { amount: 5.5, currency: 'EUR' },
              availability: { inStock: true },
              dietary: ['Vegan'],
              calories: 170,
              optionGroups: [],
              identifiers: {},
              sourceUrl: url,
            },
          ],
        },
      ],
    })
  })

  const shown = (name: string, price: string): string =>
    `<li class="dish"><h4>${name}</h4><p>With bread.</p><span>${price}</span></li>`

  test('is read from what people see, below its headings, when the page says that it is one', async () => {
    const page = `<nav><ul><li><a>Home</a> <b>1.00 €</b></li></ul></nav><main><h1>Menu</h1><h2>Starters</h2><ul>${shown('Soup', '€ 5,50')}${shown('Salad', '€ 6,00')}</ul><h2>Mains</h2><ul>${shown('Fish', '€ 15,00')}${shown('Pie', '€ 12,00')}</ul></main>`
    const { menu } = await read(`<title>Chez Test</title>${page}`)
    expect(
      menu?.sections.map(({ name, items }) => [name, items.map((dish) => [dish.name, dish.price?.amount])]),
    ).toEqual([
      [
        'Starters',
        [
          ['Soup', 5.5],
          ['Salad', 6],
        ],
      ],
      [
        'Mains',
        [
          ['Fish', 15],
          ['Pie', 12],
        ],
      ],
    ])
    expect(menu).toMatchObject({ currency: 'EUR', confidence: 0.7, merchant: { name: 'chez.test' } })
  })

  test('is none where a page has things with prices and does not say that they are on a menu', async () => {
    html = `<title>Shop</title><h1>Chairs</h1><ul>${[1, 2, 3, 4, 5].map((n) => shown(`Chair ${n}`, `€ ${n},00`)).join('')}</ul>`
    const document = await engine.scrape({ url: 'https://chez.test/chairs', maxAge: 0, formats: ['menu'] })
    expect(document.menu).toBeUndefined()
    expect(document.warning).toContain('No menu found')
  })
})
