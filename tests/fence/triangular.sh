# Triangular races: no thread writes what is read while the own thread holds the bus.
cat >locked.aut <<'END'
thread first
initial begin
final done
transition begin locked lock
transition locked written write 1 0
transition written seen read other 1
transition seen done unlock
end

thread second
initial begin
final done
transition begin done write 1 1
end
END
sed '/ lock$/s/lock$/noop/; s/unlock/noop/' locked.aut >open.aut
# The second thread writes only after it has seen the first one's store: by definition a race, though no buffer is in it.
cat >handed_over.aut <<'END'
thread first
initial begin
final done
transition begin written write 1 0
transition written done read other 1
end

thread second
initial begin
final done
transition begin seen read turn 0
transition seen waits check == turn 1
transition waits done write 1 1
end
END

"$PICKET" fence --for trf locked.aut >report
grep -q '^no fence is needed' report || { cat report; exit 1; }
"$PICKET" fence --for trf open.aut >report
grep -q '^1 fence' report || { cat report; exit 1; }
"$PICKET" fence --for trf handed_over.aut >report
grep -q '^1 fence' report || { cat report; exit 1; }
"$PICKET" robust handed_over.aut >report
grep -q '^robust' report || { cat report; exit 1; }
