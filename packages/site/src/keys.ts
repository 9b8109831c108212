import { keyFamilies } from '@harvestman/toolbox/key-families'

/** Keys of the stored data of a site. The docs print them. */
export const siteKeys = keyFamilies({
  robots: {
    begins: 'robots/',
    keeps: 'The robots.txt of a site',
    writes: 'crawls, maps',
    lives: 'a day; five minutes if it could not be read',
  },
  sitemap: {
    begins: 'sitemap/',
    keeps: 'The locations of the parts of a sitemap',
    writes: 'maps, crawls',
    lives: 'a week',
  },
  feeds: {
    begins: 'feeds/',
    keeps: 'The locations of the feeds of a site',
    writes: 'crawls with `since`',
    lives: 'a week',
  },
  sitemapPart: { begins: 'sitemap-part/', keeps: 'Entries of a sitemap', writes: 'maps, crawls', lives: 'a week' },
})
