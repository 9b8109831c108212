export * from '@harvestman/recrawl'
