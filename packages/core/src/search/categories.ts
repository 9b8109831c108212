import type { SearchCategory } from '@harvestman/ports'

/** Sites and file types of each value of `categories`. */
export const searchCategories: Readonly<Record<string, SearchCategory>> = {
  github: { name: 'github', sites: ['github.com'] },
  research: {
    name: 'research',
    sites: [
      'arxiv.org',
      'scholar.google.com',
      'pubmed.ncbi.nlm.nih.gov',
      'researchgate.net',
      'nature.com',
      'science.org',
      'ieee.org',
      'acm.org',
    ],
  },
  pdf: { name: 'pdf', sites: [], file: 'pdf' },
  developer: {
    name: 'developer',
    sites: [
      'github.com',
      'stackoverflow.com',
      'developer.mozilla.org',
      'npmjs.com',
      'pypi.org',
      'docs.rs',
      'pkg.go.dev',
    ],
  },
  gov: {
    name: 'gov',
    sites: [
      'gov',
      'mil',
      'gov.uk',
      'gc.ca',
      'canada.ca',
      'gov.au',
      'govt.nz',
      'gouv.fr',
      'bund.de',
      'admin.ch',
      'europa.eu',
    ],
  },
}
