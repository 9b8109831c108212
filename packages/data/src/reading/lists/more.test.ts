import { describe, expect, test } from 'vitest'

import { openPage } from '@harvestman/html/internal'
import { listing } from '../module.ts'

const rows = [1, 2, 3, 4]
  .map(
    (n) =>
      `<div class="card"><a href="/tea/${n}">Tea ${n}</a><button>Next picture</button><p>About tea ${n}.</p></div>`,
  )
  .join('')

function moreOf(around: string, before = '') {
  const html = `<main>${before}<section><div>${rows}</div>${around}</section></main>`
  const scope = { onlyMainContent: false, includeTags: [], excludeTags: [] }
  return listing(openPage({ html, url: 'https://shop.test/tea' }, scope), {}).more
}

describe('What leads to more items of a list', () => {
  test.each([
    'Next',
    'Next page',
    'Older posts',
    'Weiter',
    'Suivant',
    'Página siguiente',
    'Próxima',
    'Volgende',
    'Następna',
    'Следующая',
    '次へ',
    '下一页',
    '›',
  ])('is a link that says %s', (words) => {
    expect(moreOf(`<p><a href="?page=2">${words}</a></p>`)).toEqual({
      way: 'next',
      selector: 'body > main:nth-of-type(1) > section:nth-of-type(1) > p:nth-of-type(1) > a:nth-of-type(1)',
      words,
      url: 'https://shop.test/tea?page=2',
    })
  })

  test.each([
    'Load more',
    'Show 24 more products',
    'Mehr anzeigen',
    'Voir plus',
    'Ver más',
    'Carregar mais',
    '加载更多',
  ])('is a button that says %s', (words) => {
    expect(moreOf(`<button id="on">${words}</button>`)).toEqual({ way: 'more', selector: '[id="on"]', words })
  })

  test('is a link of the relation next, and one whose label says so, whatever stands in it', () => {
    expect(moreOf('<a rel="next" href="/2">Onward</a>')).toMatchObject({ way: 'next', words: 'Onward' })
    expect(moreOf('<a href="/2" aria-label="Next page"><svg></svg></a>')).toMatchObject({ words: 'Next page' })
  })

  test('is the number after the one that is current', () => {
    const list =
      '<ul><li><a href="?p=1">1</a></li><li class="active"><a href="?p=2">2</a></li><li><a href="?p=3">3</a></li></ul>'
    expect(moreOf(list)).toMatchObject({ way: 'next', url: 'https://shop.test/tea?p=3' })
    const bold = '<p><a href="?p=1">1</a> <strong>2</strong> <a href="?p=3">3</a></p>'
    expect(moreOf(bold)).toMatchObject({ way: 'next', words: '3' })
    expect(moreOf('<p><a href="?y=2024">2024</a> <a href="?y=2025">2025</a></p>')).toBeUndefined()
  })

  test('is the nearest to the list of several', () => {
    const slides = '<div class="carousel"><button>Next</button></div><div><button id="far">Next</button></div>'
    expect(moreOf('<a id="near" href="?page=2">Next</a>', slides)?.selector).toBe('[id="near"]')
  })

  test.each([
    ['disabled', '<button disabled>Next</button>'],
    ['disabled by its class', '<li class="disabled"><a href="#">Next</a></li>'],
    ['hidden', '<p style="display: none"><a href="?page=2">Next</a></p>'],
    ['of a carousel', '<div class="swiper-nav"><button>Next</button></div>'],
    ['for more filters', '<aside><button>Show more</button></aside>'],
    ['in each row alone', ''],
  ])('is none where it is %s', (_, around) => {
    expect(moreOf(around)).toBeUndefined()
  })

  test('of a script has no address', () => {
    expect(moreOf('<a href="#">Next</a>')).toEqual(expect.not.objectContaining({ url: expect.anything() as unknown }))
    expect(moreOf('<a href="javascript:void(0)">Next</a>')).toEqual(
      expect.not.objectContaining({ url: expect.anything() as unknown }),
    )
  })
})
