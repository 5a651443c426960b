# Builds the package from these sources, then installs it alone: the image has neither sources nor compilers.
FROM node:26-slim AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.npm \
    npm ci --ignore-scripts --no-audit --no-fund --include-workspace-root \
    -w packages/server -w packages/dashboard -w packages/sdk -w packages/client
# Not by npm: that would install what only tests need.
RUN node scripts/build.ts && mkdir data

FROM node:26-slim
WORKDIR /app
COPY --from=build /src/dist/bugle-[0-9]*.tgz ./bugle.tgz
# It brings all it depends on.
RUN npm install --offline --omit=dev --ignore-scripts --no-audit --no-fund ./bugle.tgz
# An empty folder that the server may write to: a new volume gets its owner from it.
COPY --from=build --chown=node:node /src/data /data
ENV NODE_ENV=production \
    PATH=/app/node_modules/.bin:$PATH \
    XDG_CACHE_HOME=/data/.cache \
    BUGLE_HOST=0.0.0.0 \
    BUGLE_DATABASE_URL=sqlite:/data/bugle.db
USER node
# So that "docker exec … bugle backup copy.db" writes to the volume.
WORKDIR /data
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.BUGLE_PORT || 4000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["bugle"]
CMD ["serve"]
