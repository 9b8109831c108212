// Notes that are kept of research.
import type { Json } from '@harvestman/ports'

/** A step of a research, as its status tells it. */
export interface ResearchActivity {
  readonly type: 'search' | 'extract' | 'analyze' | 'reasoning' | 'synthesis'
  readonly status: 'processing' | 'complete' | 'error'
  readonly message: string
  readonly timestamp: string
  readonly depth: number
}

/** A page that a research has read. */
export interface ResearchSource {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly favicon: string
}

export interface ResearchNote {
  readonly activity?: ResearchActivity
  /** A page that was read, and what it says. */
  readonly finding?: { readonly source: ResearchSource; readonly text: string }
  /** A round has ended: what the model thinks of it. */
  readonly round?: Round
}

export interface Round {
  readonly depth: number
  readonly summary: string
  readonly gaps: readonly string[]
  readonly isEnough: boolean
}

/** Result of research. */
export interface ResearchFound {
  readonly finalAnalysis: string
  readonly sources: ResearchSource[]
  readonly json?: Json
}
