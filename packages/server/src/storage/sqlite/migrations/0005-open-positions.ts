/**
 * Positions within the open lane, for readers that see nothing else. An event that has none has the same position in
 * both logs: so do all that were stored before, and the open lane's count goes on from the project's last position.
 */
export const OPEN_POSITIONS = `
  -- The position in the open lane as a key, like row; NULL: the same as row. It stays when an event leaves the lane.
  ALTER TABLE events ADD COLUMN open_row INTEGER;
  CREATE INDEX events_open ON events (coalesce(open_row, row)) WHERE lane = 0;

  ALTER TABLE projects ADD COLUMN last_open_position INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE projects ADD COLUMN expired_open_position INTEGER NOT NULL DEFAULT 0;
  UPDATE projects SET last_open_position = last_event_position, expired_open_position = expired_position;
`
