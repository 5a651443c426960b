/** What an import has to remember until it is finished: how far it got, and the slugs its projects will have. */
export const IMPORTS = `
  -- A project without a slug is out of service. One that is being imported gets this one when all of it is there.
  ALTER TABLE projects ADD COLUMN import_slug text COLLATE "C";

  CREATE TABLE imports (
    -- There is one import at a time.
    slot smallint PRIMARY KEY CHECK (slot = 1),
    -- Of the file; empty once it is given up.
    digest text NOT NULL,
    -- The lines of the file up to this one are stored.
    line bigint NOT NULL
  );
`
