import { jsonFormat } from '@harvestman/core/plugin'

import { filledReading } from '../readings.ts'
import { learnedAnswers } from './known.ts'

/** The format `json` with learned extractors, and with the product values that pages show without markup. */
export const json = jsonFormat(learnedAnswers, filledReading)
