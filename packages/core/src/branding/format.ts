import { EngineError } from '@harvestman/ports'
import { pageCall } from '@harvestman/toolbox/page-call'

import { readBranding } from '../page-scripts.ts'
import { defineFormat } from '../plugin/define.ts'
import { brandingProfile, type BrandingProfile } from './profile.ts'

/** The format `branding`: the visual identity of a page, read from computed styles, markup and images, without a model. */
export const branding = defineFormat({
  type: 'branding',
  value: brandingProfile.describe('Colors, fonts, logo and distances of the page.'),
  needs: {},
  captureFailure: 'branding_not_supported',
  capture: (tab, _, signal) => tab.evaluate(pageCall(readBranding), signal),
  derive: (_, { captured }): BrandingProfile => {
    if (captured === null)
      throw new EngineError('branding_not_supported', 'The URL is a file and not a page, so it has no branding.')
    // The script runs in the page, whose own scripts may tamper with the result.
    const { data } = brandingProfile.safeParse(captured)
    if (data) return data
    throw new EngineError('format_failed', 'The page changed the values that were read. Try again later.')
  },
})
