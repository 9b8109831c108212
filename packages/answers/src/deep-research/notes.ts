// Saved state of a research run, from which it can resume.
import type { Claim, CitedVersion } from '@harvestman/core/plugin'
import type { Json } from '@harvestman/ports'

/** One step of a research run, as its status reports it. */
export interface ResearchActivity {
  readonly type: 'search' | 'extract' | 'analyze' | 'reasoning' | 'synthesis'
  readonly status: 'processing' | 'complete' | 'error'
  readonly message: string
  readonly timestamp: string
  readonly depth: number
}

/** A page that was read. */
export interface ResearchSource {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly favicon: string
}

/** A page that was read, with its text. */
export interface Finding {
  readonly source: ResearchSource
  readonly text: string
  readonly version: CitedVersion
}

export interface ResearchNote {
  readonly activity?: ResearchActivity
  readonly finding?: Finding
  /** URL of a page that was loaded and is not used, because another one has the same content. */
  readonly skipped?: string
  /** Claims of the result, with their citations. */
  readonly claims?: readonly Claim[]
  /** The model's assessment at the end of a round. */
  readonly round?: Round
}

export interface Round {
  readonly depth: number
  readonly summary: string
  readonly gaps: readonly string[]
  readonly isEnough: boolean
}

/** The result of a research run. */
export interface ResearchFound {
  readonly finalAnalysis: string
  readonly sources: ResearchSource[]
  readonly json?: Json
}
