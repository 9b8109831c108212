import { pageOptionsOf } from '@harvestman/toolbox/page-options'
import { expect, test } from 'vitest'

import { refusalOfOptions } from './refusal.ts'

const engineHeaders = { 'user-agent': 'Lamps/1.0' }
const location = { country: 'US', languages: ['en-US'] }

test.each([
  [{ headers: { cookie: 'a' } }, 'headers'],
  [{ headers: { 'user-agent': 'Other/1.0' } }, 'headers'],
  [{ profile: { name: 'shop' } }, 'profile'],
  [{ mobile: true }, 'mobile'],
  [{ location: { ...location, country: 'DE' } }, 'location'],
  [{ scrapeOptions: { mobile: true } }, 'mobile'],
])('a request with %j teaches no recipe', (request, name) => {
  expect(refusalOfOptions(pageOptionsOf(request, engineHeaders))).toContain(`Remove ${name}.`)
})

test.each([{}, { headers: engineHeaders, mobile: false, location, profile: undefined }])(
  'a request with %j teaches a recipe',
  (request) => {
    expect(refusalOfOptions(pageOptionsOf(request, engineHeaders))).toBeUndefined()
  },
)
