export * from '@harvestman/site-apis'
